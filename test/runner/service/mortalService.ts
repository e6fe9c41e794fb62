import { HandService } from './handService.ts';

/** What a call has to say for the service to end of it. */
const deadly = 'die of this';

/** Whether it ends of a body that it cannot parse, too. */
const [port = '0', parses] = process.argv.slice(2);
process.stdout.write('a service that remembers nothing\n');
await HandService.start(
  {
    answer: ({ body, path }) => {
      if (parses === 'unguarded' && body !== '') setImmediate(() => JSON.parse(body) as unknown);
      if (!body.includes(deadly) && !path.includes(encodeURIComponent(deadly))) return undefined;
      process.stdout.write('this is too much for me\n');
      return process.exit(3);
    },
  },
  Number(port),
);
