import { HandService } from './handService.ts';

/** What a call has to say for the service to end of it. */
const deadly = 'die of this';

const [port = '0'] = process.argv.slice(2);
process.stdout.write('a service that remembers nothing\n');
await HandService.start(
  {
    answer: ({ body, path }) => {
      if (!body.includes(deadly) && !path.includes(encodeURIComponent(deadly))) return undefined;
      process.stdout.write('this is too much for me\n');
      return process.exit(3);
    },
  },
  Number(port),
);
