import { describe, expect, it } from 'vitest';

import { replayCommand } from '../../../reports/curl/replayCommand.ts';

const command = 'npx seaworthy receiver http://localhost:3000/';

describe('the command that tries a saved case again', () => {
  it('takes over all headers where one of them is hidden, however they are quoted', () => {
    const headers = `--header 'Accept: it'\\''s' --header "X-Key: $SEAWORTHY_HEADER_X_KEY"`;
    const whole = `${command} --secret "$SEAWORTHY_SECRET" ${headers} --start 'serve --header "X-Not: mine"' --seed 1`;
    expect(replayCommand('a.json', whole)).toBe(
      `npx seaworthy replay a.json --trust --secret "$SEAWORTHY_SECRET" ${headers}`,
    );
  });

  it('leaves them to the file where none is', () => {
    expect(replayCommand("it's.json", `${command} --header 'Accept: */*' --seed 1`)).toBe(
      `npx seaworthy replay 'it'\\''s.json' --url http://localhost:3000/`,
    );
  });

  it.each([
    ['receiver http://a.example/hooks --allow-remote', '--url http://a.example/hooks --allow-remote'],
    ["receiver 'http://[::1]:3000/a b' --probe 'http://127.0.0.1:3000/{id}'", "--url 'http://[::1]:3000/a b'"],
    ['receiver http://localhost/ --probe http://a.example/{id}', '--trust'],
    ["receiver http://localhost/ --probe 'http://localhost.evil.example/{id}'", '--trust'],
    ['receiver /hooks --image a:1 --port 80', '--trust'],
    ['fuzz --service http://127.0.0.1:4010/v2 --runs 3', '--url http://127.0.0.1:4010/v2'],
    ['service http://127.0.0.1:4010/v2 --emit ./emit.sh', '--trust'],
    ['receiver http://localhost/ --config other.yaml', '--url http://localhost/ --config other.yaml'],
    ['receiver http://localhost/ --assume @learned.yaml', '--trust'],
    [
      "receiver http://localhost/ --contract 'my own/contract.yaml' --seed 1",
      "--url http://localhost/ --contract 'my own/contract.yaml'",
    ],
    ['receiver http://localhost/ --contract stripe', '--url http://localhost/'],
    [
      'fuzz http://localhost/ --contract standard-webhooks --openapi api.yaml',
      '--url http://localhost/ --openapi api.yaml',
    ],
    ['receiver http://localhost/ --contract a.yaml --start ./run', '--trust'],
  ])('gives the address again, and trusts the file only where it names more: %s', (run, more) => {
    expect(replayCommand('a.json', `seaworthy ${run}`)).toBe(`seaworthy replay a.json ${more}`);
  });
});
