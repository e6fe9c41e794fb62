import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

/** How often each id took effect in this process. */
const effects = new Map<string, number>();

/** What the servers do with an event: they count it. */
export function handle(id: string): void {
  effects.set(id, (effects.get(id) ?? 0) + 1);
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** How often an id took effect. */
export function countOf(id: string): number {
  return effects.get(id) ?? 0;
}

/** Serves `POST /hook` with this listener, and the number of effects of an id at `/count/<id>`, at the port of the command line. */
export function serve(hook: Listener): void {
  const server = createServer((request, response) => {
    const [, id] = /^\/count\/(.+)$/.exec(request.url ?? '') ?? [];
    if (id === undefined) return void hook(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ count: countOf(decodeURIComponent(id)) }));
  });
  server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('listening\n'));
}

/** The raw body of a request, as `express.raw()` gives it. */
export async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
