import { expect, test } from 'vitest';

import { commandLine } from '../../../runner/options/commandLine.ts';
import { processOptions, processSpecOf } from '../../../runner/options/processOptions.ts';
import { resolveSettings } from '../../../runner/options/settings.ts';

const specOf = (commandLine: Readonly<Record<string, readonly string[]>>, config: readonly object[] = []): unknown =>
  processSpecOf(resolveSettings(processOptions, { commandLine, environment: {}, config, directory: '/' }));

test('without an option the target runs by itself', () => {
  expect(specOf({})).toBeUndefined();
});

test('a command, with its environment; a later value and the command line win', () => {
  const config = [{ start: 'npm start', env: { LEVEL: 1, HOST: 'a' } }];
  expect(specOf({ env: ['LEVEL=2', 'LEVEL=3=x', 'EMPTY='] }, config)).toEqual({
    kind: 'command',
    command: 'npm start',
    env: { LEVEL: '3=x', EMPTY: '', HOST: 'a' },
  });
});

test('an image, with the port inside', () => {
  const env = {};
  expect(specOf({ image: ['a/b:1'], port: ['80'] })).toEqual({ kind: 'container', image: 'a/b:1', port: 80, env });
});

test.each([
  [{ start: ['a'], image: ['b'], port: ['80'] }, '--start and --image were both given'],
  [{ image: ['b'] }, '--image was given without --port'],
  [{ start: ['a'], port: ['80'] }, '--port was given without --image'],
  [{ env: ['A=b'] }, '--env was given without --start or --image'],
])('refuses %j', (given, message) => {
  expect(() => specOf(given)).toThrow(message);
});

test.each(['=b', 'A', '1A=b', 'A B=c'])('--env %s is no variable', (text) => {
  expect(() => specOf({ start: ['a'], env: [text] })).toThrow('a variable and its value with = between them');
});

test('the command that repeats a run shows no value of a variable', () => {
  const given = { start: ['npm start'], env: ['API_KEY=s3cret', 'app.key=s3cret'] };
  expect(commandLine('receiver', ['http://localhost/'], processOptions, given)).toBe(
    `seaworthy receiver http://localhost/ --start 'npm start' --env API_KEY="$API_KEY" --env app.key="$app_key"`,
  );
});
