import { expect, test } from 'vitest';

import { programOf } from '../../../runner/cli/programEnvironment.ts';

const installed = '/home/me/project/node_modules/.bin/seaworthy';

test.each([
  [
    'npm run -s seaworthy --',
    { npm_lifecycle_event: 'seaworthy', npm_command: 'run-script' },
    '/clone/runner/cli/main.ts',
  ],
  [
    'npx seaworthy',
    { npm_lifecycle_event: 'npx', npm_command: 'exec', PATH: '/home/me/project/node_modules/.bin' },
    installed,
  ],
  // A script of the project has the folder on its path; the shell of its user has not.
  [
    'npx seaworthy',
    { npm_lifecycle_event: 'test', npm_command: 'test', PATH: '/home/me/project/node_modules/.bin' },
    installed,
  ],
  ['npx seaworthy', { PATH: '/usr/bin' }, installed],
  ['npx seaworthy', { PATH: '/usr/bin' }, '/home/me/project/node_modules/seaworthy/dist/runner/cli/main.js'],
  ['seaworthy', { PATH: '/usr/bin:/usr/local/bin' }, '/usr/local/bin/seaworthy'],
  ['node runner/cli/main.ts', { PATH: '/usr/bin' }, '/home/me/project/runner/cli/main.ts'],
  ["node '/a clone/runner/cli/main.ts'", { PATH: '/usr/bin' }, '/a clone/runner/cli/main.ts'],
  ['npx node runner/cli/main.ts', { npm_command: 'exec' }, '/home/me/project/runner/cli/main.ts'],
  ['seaworthy', {}, undefined],
])('commands begin with %s', (program, environment, script) => {
  expect(programOf({ environment, script, workingDirectory: '/home/me/project' })).toBe(program);
});
