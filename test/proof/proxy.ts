import { spawn } from 'node:child_process';
import { connect, createServer, type AddressInfo } from 'node:net';

// Takes connections from the first moment on, as a reverse proxy or the engine of a container does. Until the command behind it
// has started, it answers 502, or breaks them off. The command listens at the port in its variable INNER_PORT.
// node proxy.ts <port> <502 | breaks-off> <command>
const [port, meanwhile, command = ''] = process.argv.slice(2);

const badGateway = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

const inner = await freePort();
const child = spawn(command, { shell: true, stdio: 'inherit', env: { ...process.env, INNER_PORT: String(inner) } });

const server = createServer({ allowHalfOpen: true }, (outside) => {
  const inside = connect({ port: inner, host: '127.0.0.1', allowHalfOpen: true });
  inside.once('error', () => {
    if (meanwhile === '502') outside.resume().end(badGateway);
    else outside.destroy();
  });
  inside.once('connect', () => {
    inside.once('close', () => outside.destroy());
    outside.pipe(inside).pipe(outside);
  });
  outside.on('error', () => inside.destroy());
  outside.once('close', () => inside.destroy());
}).listen(Number(port), '127.0.0.1');

process.on('SIGTERM', () => {
  server.close();
  child.kill();
});
child.once('exit', (code) => process.exit(code ?? 1));

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}
