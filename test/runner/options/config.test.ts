import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';

import {
  defineConfig,
  configSchema,
  type FuzzConfig,
  type ReceiverConfig,
  type ServiceConfig,
} from '../../../runner/options/config.ts';
import type { SeaworthyError } from '../../../runner/errors.ts';
import { loadConfig } from '../../../runner/options/loadConfig.ts';
import type { fuzzOptions } from '../../../runner/options/fuzzOptions.ts';
import type { serviceOptions } from '../../../runner/options/serviceOptions.ts';
import { receiverOptions, type ReceiverSettings } from '../../../runner/options/receiverOptions.ts';
import { resolveSettings, type CommandLine } from '../../../runner/options/settings.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-config-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

async function problem(name: string, text: string): Promise<string> {
  const path = await write(name, text);
  const error = await loadConfig(directory, { config: [name] }).then(
    () => new Error('no error'),
    (thrown: unknown) => thrown as SeaworthyError,
  );
  const code = 'code' in error ? `${error.code}: ` : '';
  return `${code}${error.message}`.replaceAll(path, name);
}

function settings(sources: {
  commandLine?: CommandLine;
  environment?: Record<string, string>;
  config?: readonly object[];
  directory?: string;
}): ReceiverSettings {
  return resolveSettings(receiverOptions, { commandLine: {}, environment: {}, config: [], directory, ...sources });
}

describe('loadConfig', () => {
  it.each([
    { name: 'seaworthy.config.ts', text: `const level: string = 'quick';\nexport default { intensity: level };` },
    { name: 'seaworthy.config.js', text: `export default { intensity: 'quick' };` },
    { name: 'seaworthy.config.json', text: '{ "intensity": "quick" }' },
    { name: 'seaworthy.config.yaml', text: 'intensity: quick' },
    { name: 'seaworthy.config.yml', text: 'intensity: quick' },
    { name: 'seaworthy.config.mts', text: `const level: string = 'quick';\nexport default { intensity: level };` },
    { name: 'seaworthy.config.cts', text: `const level: string = 'quick';\nmodule.exports = { intensity: level };` },
    { name: 'seaworthy.config.mjs', text: `export default { intensity: 'quick' };` },
    { name: 'seaworthy.config.cjs', text: `module.exports = { intensity: 'quick' };` },
  ])('finds $name above the working directory', async ({ name, text }) => {
    await write('package.json', '{ "type": "module" }');
    const file = await write(name, text);
    const below = join(directory, 'a', 'b');
    await mkdir(below, { recursive: true });
    expect(await loadConfig(below)).toEqual({ config: { intensity: 'quick' }, file, directory });
  });

  it.each([
    { name: 'seaworthy.config.ts', text: `import { level } from './level.ts';\nexport default { intensity: level };` },
    { name: 'seaworthy.config.js', text: `import { level } from './level.ts';\nexport default { intensity: level };` },
    { name: 'seaworthy.config.js', text: `module.exports = { intensity: require('./level.ts').level };` },
  ])('reads $name in a package of CommonJS: $text', async ({ name, text }) => {
    // As `npm init` writes it.
    await write('package.json', '{ "type": "commonjs" }');
    await write(
      'level.ts',
      `const level: string = 'quick';\n${text.startsWith('m') ? 'exports.level = level' : 'export { level }'};`,
    );
    await write(name, text);
    expect((await loadConfig(directory)).config).toEqual({ intensity: 'quick' });
  });

  it('is empty where there is no file', async () => {
    expect(await loadConfig(directory)).toEqual({ config: {}, directory });
  });

  it.each([
    { root: '.git', make: (path: string) => mkdir(path) },
    { root: '.git', make: (path: string) => writeFile(path, 'gitdir: elsewhere\n') },
    { root: 'package.json', make: (path: string) => writeFile(path, '{}') },
  ])('searches up to the folder with $root, and no further', async ({ root, make }) => {
    await write('seaworthy.config.json', '{ "seed": 1 }');
    const below = join(directory, 'repository', 'a');
    await mkdir(below, { recursive: true });
    await make(join(directory, 'repository', root));
    expect(await loadConfig(below)).toEqual({ config: {}, directory: below });
    await write('repository/seaworthy.config.json', '{ "seed": 2 }');
    expect((await loadConfig(below)).config).toEqual({ seed: 2 });
  });

  it('searches past a package up to the root of its repository', async () => {
    await mkdir(join(directory, '.git'));
    await write('packages/a/package.json', '{}');
    await write('seaworthy.config.json', '{ "seed": 1 }');
    expect((await loadConfig(join(directory, 'packages', 'a'))).config).toEqual({ seed: 1 });
  });

  it('searches the working directory alone where nothing says where the root is', async () => {
    await write('seaworthy.config.json', '{ "seed": 1 }');
    await mkdir(join(directory, 'a'));
    expect((await loadConfig(join(directory, 'a'))).config).toEqual({});
    expect((await loadConfig(directory)).config).toEqual({ seed: 1 });
  });

  it('runs nothing of an installed package, which is no root either', async () => {
    await write('package.json', '{}');
    await write('seaworthy.config.json', '{ "seed": 1 }');
    const foreign = await write('node_modules/foreign/seaworthy.config.js', `throw new Error('this ran');`);
    await write('node_modules/foreign/package.json', '{}');
    const lines: string[] = [];
    const { config } = await loadConfig(dirname(foreign), {}, (line) => lines.push(line));
    expect(config).toEqual({ seed: 1 });
    expect(lines).toEqual([
      `The config file ${foreign} was not read: it is inside node_modules. If you trust it, give --config ${foreign}`,
      `Config file: ${join(directory, 'seaworthy.config.json')}`,
    ]);
  });

  describe.skipIf(process.geteuid === undefined)('where others may write', () => {
    const planted = `throw new Error('this ran');`;

    /** What is said of the config file that is passed over; it does not run. */
    async function passedOver(): Promise<string> {
      const lines: string[] = [];
      const loaded = await loadConfig(directory, {}, (line) => lines.push(line));
      expect(loaded).toEqual({ config: {}, directory });
      expect(lines).toHaveLength(1);
      return lines.join().replaceAll(directory, '<here>');
    }

    it.each([0o777, 0o1777, 0o702])('reads nothing in a folder of the mode %o', async (mode) => {
      await write('seaworthy.config.js', planted);
      await chmod(directory, mode);
      expect(await passedOver()).toBe(
        'The config file <here>/seaworthy.config.js was not read: everybody may write to <here>. If you trust it, give --config <here>/seaworthy.config.js',
      );
    });

    it('reads no file that everybody may write to, nor what a link leads to there', async () => {
      const file = await write('seaworthy.config.js', planted);
      await chmod(file, 0o666);
      expect(await passedOver()).toContain('everybody may write to <here>/seaworthy.config.js');
      await rm(file);
      await symlink(await write('shared/config.js', planted), file);
      await chmod(join(directory, 'shared'), 0o777);
      expect(await passedOver()).toContain('everybody may write to <here>/shared.');
    });

    it('reads nothing below a folder in which others may replace what it is in, but for a sticky one', async () => {
      const file = await write('own/deep/seaworthy.config.json', '{ "seed": 1 }');
      await chmod(directory, 0o777);
      const lines: string[] = [];
      expect((await loadConfig(dirname(file), {}, (line) => lines.push(line))).config).toEqual({});
      expect(lines.join()).toContain(`${file} was not read: everybody may write to ${directory}. If`);
      await chmod(directory, 0o1777);
      expect((await loadConfig(dirname(file))).config).toEqual({ seed: 1 });
    });

    it('reads nothing that a link leads to by such a folder', async () => {
      await write('shared/real/config.json', '{ "seed": 1 }');
      await symlink(join('shared', 'real', 'config.json'), join(directory, 'seaworthy.config.json'));
      await chmod(join(directory, 'shared'), 0o777);
      expect(await passedOver()).toContain('everybody may write to <here>/shared.');
    });

    it.skipIf(process.geteuid?.() !== 0)(
      'reads nothing of another user, nor of a group with others in it',
      async () => {
        const file = await write('seaworthy.config.js', planted);
        await chown(file, 12_345, 12_345);
        expect(await passedOver()).toContain('<here>/seaworthy.config.js belongs to another user');
        await chown(file, 0, 0);
        await chown(directory, 12_345, 0);
        expect(await passedOver()).toContain('<here> belongs to another user');
        await chown(directory, 0, 12_345);
        await chmod(directory, 0o770);
        expect(await passedOver()).toContain('a group may write to <here>');
      },
    );

    it('takes what the user names, and goes on above what it passes over', async () => {
      await mkdir(join(directory, '.git'));
      await write('seaworthy.config.json', '{ "seed": 1 }');
      const shared = join(directory, 'shared');
      await write('shared/seaworthy.config.json', '{ "seed": 2 }');
      await chmod(shared, 0o777);
      expect((await loadConfig(shared)).config).toEqual({ seed: 1 });
      expect((await loadConfig(shared, { config: ['seaworthy.config.json'] })).config).toEqual({ seed: 2 });
    });
  });

  it('says which file is read before its code runs', async () => {
    const file = await write('seaworthy.config.mjs', `throw new Error('not today');`);
    const lines: string[] = [];
    await expect(loadConfig(directory, { config: [file] }, (line) => lines.push(line))).rejects.toThrow('not today');
    expect(lines).toEqual([`Config file: ${file}`]);
  });

  it('with --safe reads no file that is code, and those that are data', async () => {
    const file = await write('code.mjs', `throw new Error('not today');`);
    const given = { config: [file], safe: ['true'] };
    await expect(loadConfig(directory, given)).rejects.toMatchObject({ code: 'SW_CONFIG_UNSAFE' });
    await write('seaworthy.config.yaml', 'seed: 1');
    expect((await loadConfig(directory, { safe: ['true'] })).config).toEqual({ seed: 1 });
  });

  it('takes the file that is named, not the nearest', async () => {
    await write('seaworthy.config.json', '{ "seed": 1 }');
    await write('other.yaml', 'seed: 2');
    expect((await loadConfig(directory, { config: ['other.yaml'] })).config).toEqual({ seed: 2 });
  });

  it('takes an empty file for an empty config', async () => {
    await write('empty.yaml', '# nothing yet\n');
    expect((await loadConfig(directory, { config: ['empty.yaml'] })).config).toEqual({});
  });

  it('explains an unknown key', async () => {
    expect(await problem('a.json', '{ "intesity": "quick" }')).toMatchInlineSnapshot(`
      "SW_CONFIG_INVALID: a.json: there is no key "intesity"
        valid: report, keepRuns, only, skip, require, expectFailures, intensity, seed, time, bail, concurrency, rate, timeout, maxAnswer, settle, ca, insecure, reset, strict, contract, openapi, assume, receiver, service, fuzz
        do:    did you mean "intensity"?"
    `);
  });

  it('explains an unknown key of a section', async () => {
    expect(await problem('a.json', '{ "receiver": { "probes": "x" } }')).toMatchInlineSnapshot(`
      "SW_CONFIG_INVALID: a.json: there is no key "receiver.probes"
        valid: url, secret, probe, events, header, start, image, port, env, secretEnv, published, apiListen, recover, report, keepRuns, only, skip, require, expectFailures, intensity, seed, time, bail, concurrency, rate, timeout, maxAnswer, settle, ca, insecure, reset, strict, contract, openapi, assume
        do:    did you mean "probe"?"
    `);
  });

  it('says where a key belongs', async () => {
    expect(await problem('a.json', '{ "secret": "x" }')).toContain('do:    write it under "receiver"');
    expect(await problem('a.json', '{ "allowRemote": true }')).toContain(
      '--allow-remote can only be given on the command line',
    );
  });

  it('explains a value', async () => {
    expect(await problem('a.json', '{ "receiver": { "intensity": "extreme" } }')).toMatchInlineSnapshot(`
      "SW_CONFIG_INVALID: a.json: receiver.intensity cannot be "extreme"
        valid: quick, standard, thorough
        do:    correct "receiver.intensity"; docs/options.md of the package explains every key"
    `);
    expect(await problem('a.json', '{ "only": [1] }')).toContain('valid: a check id or a requirement id');
    expect(await problem('a.yaml', '- a list')).toMatch(
      /the config cannot be this list\n.*an object with the options as keys/,
    );
    expect(await problem('a.json', '{ "receiver": { "probe": 5 } }')).toContain('receiver.probe cannot be this number');
    expect(await problem('a.json', '{ "receiver": { "url": 5 } }')).toMatch(
      /cannot be this number\n.*valid: +a string$/m,
    );
  });

  it('shows no secret', async () => {
    expect(await problem('a.json', '{ "receiver": { "secret": { "it": "s3cret" } } }')).not.toContain('s3cret');
  });

  it('explains what cannot be read', async () => {
    expect(await problem('a.json', '{ "seed": ')).toContain(
      'SW_CONFIG_UNREADABLE: the config file a.json cannot be read',
    );
    expect(await problem('a.yaml', 'a: [')).toContain('SW_CONFIG_UNREADABLE');
    expect(await problem('a.mjs', `throw new Error('not today');`)).toContain(
      'config file a.mjs cannot be read: not today',
    );
    expect(await problem('a.ts', `export const config = { seed: 1 };`)).toContain('it has no default export');
  });

  it.each([
    ['a.json', '{ "receiver": { "secret": s3cretwords } }'],
    ['a.json', '{ "receiver": { "secret": "s3cretwords" "s3cretwords" } }'],
    ['a.yaml', 'receiver:\n  secret: s3cretwords\n   token: [s3cretwords'],
    ['a.yaml', 'receiver:\n  secret: *s3cretwords'],
    ['a.yaml', 'receiver:\n  secret: !s3cretwords'],
    ['a.json', '{ "receiver": { "env": { "KEY": ["s3cretwords"] } } }'],
    ['a.json', '{ "receiver": { "header": [["s3cretwords"]] } }'],
    ['a.json', '{ "receiver": ["s3cretwords"] }'],
    ['a.yaml', 's3cretwords'],
    ['a.json', '{ "service": { "emit": ["http://me:s3cretwords@localhost/"] } }'],
  ])('explains %s %j without what may be secret in it', async (name, text) => {
    const explained = await problem(name, text);
    expect(explained).toMatch(/^SW_CONFIG_(?:UNREADABLE|INVALID)/);
    for (const part of ['s3c', 'cretw', 'words']) expect(explained).not.toContain(part);
  });

  it('explains a file that is missing', async () => {
    await expect(loadConfig(directory, { config: ['nowhere.json'] })).rejects.toMatchObject({
      code: 'SW_CONFIG_MISSING',
      exitCode: 2,
    });
  });
});

describe('the schema of a config file', () => {
  it('has every option that is not for the command line only', () => {
    const names = Object.entries(receiverOptions).filter(([, option]) => !('commandLineOnly' in option));
    const { properties } = configSchema() as { properties: { receiver: { properties: object } } };
    expect(Object.keys(properties.receiver.properties).toSorted()).toEqual(
      ['url', ...names.map(([name]) => name)].toSorted(),
    );
  });

  it('has as many options as the types of defineConfig', () => {
    type Known = 'shard' | 'list' | 'lastFailed' | 'allowRemote' | 'config' | 'resume' | 'safe';
    expectTypeOf<Exclude<keyof typeof receiverOptions, keyof ReceiverConfig>>().toEqualTypeOf<Known>();
    expectTypeOf<Exclude<keyof typeof serviceOptions, keyof ServiceConfig>>().toEqualTypeOf<Known>();
    expectTypeOf<Exclude<keyof typeof fuzzOptions, keyof FuzzConfig>>().toEqualTypeOf<
      Exclude<Known, 'shard' | 'resume'> | 'export'
    >();
  });

  it('has the types that defineConfig gives', () => {
    const config = { intensity: 'quick', receiver: { url: 'http://localhost', secret: ['a', 'b'] } } as const;
    expect(defineConfig(config)).toBe(config);
  });
});

describe('resolveSettings', () => {
  it('has a default for what nobody said', () => {
    expect(settings({})).toMatchObject({
      report: [{ format: 'terminal' }],
      intensity: 'standard',
      concurrency: undefined,
      secret: [],
      strict: false,
      assume: {},
    });
    expect(settings({}).seed).toBeUndefined();
  });

  it('takes the command line before the environment, before the config, the section before the top', () => {
    const config = [
      { secret: 'top', seed: 1, intensity: 'quick' },
      { secret: ['section'], seed: 2 },
    ];
    const environment = { SEAWORTHY_SECRET: 'first\nsecond\n' };
    expect(settings({ config })).toMatchObject({ secret: ['section'], seed: 2, intensity: 'quick' });
    expect(settings({ config, environment }).secret).toEqual(['first', 'second']);
    expect(settings({ config, environment, commandLine: { secret: ['given'] } }).secret).toEqual(['given']);
  });

  it('puts assumptions together key by key', () => {
    const config = [{ assume: { 'a.b': 1, c: 'config' } }];
    expect(settings({ config, commandLine: { assume: ['c=option', 'd=x=y'] } }).assume).toEqual({
      'a.b': '1',
      c: 'option',
      d: 'x=y',
    });
  });

  it('reads every kind of value', () => {
    const commandLine = {
      timeout: ['2s'],
      rate: ['50/s'],
      events: ['container.*, shipment.a', 'b'],
      header: ['X-Tenant:  blue ', 'Empty:'],
      report: ['terminal', 'json=a=b.json'],
      strict: ['true'],
    };
    expect(settings({ commandLine })).toMatchObject({
      timeout: 2000,
      rate: 50,
      events: ['container.*', 'shipment.a', 'b'],
      header: [
        ['X-Tenant', 'blue'],
        ['Empty', ''],
      ],
      report: [{ format: 'terminal' }, { format: 'json', path: 'a=b.json' }],
      strict: true,
    });
  });

  it('takes paths of the config file relative to it, those of the command line as they are', () => {
    const config = [{ ca: 'ca.pem', report: ['junit=out/junit.xml', 'terminal'] }];
    expect(settings({ config })).toMatchObject({
      ca: join(directory, 'ca.pem'),
      report: [{ format: 'junit', path: join(directory, 'out/junit.xml') }, { format: 'terminal' }],
    });
    expect(settings({ config, commandLine: { ca: ['here.pem'] } }).ca).toBe('here.pem');
  });

  it('takes a file of assumptions there too, as on the command line', () => {
    const found = (assume: unknown) => settings({ config: [{ assume }] }).assume;
    const file = `@${join(directory, 'learned.yaml')}`;
    expect(found('@learned.yaml')).toEqual({ [file]: '' });
    expect(found(['@learned.yaml', 'update=PATCH /webhooks/{id}'])).toEqual({
      [file]: '',
      update: 'PATCH /webhooks/{id}',
    });
    expect(settings({ commandLine: { assume: ['@learned.yaml'] } }).assume).toEqual({ '@learned.yaml': '' });
  });

  it.each([
    { name: 'seed', text: '1.5' },
    { name: 'seed', text: '4294967296' },
    { name: 'concurrency', text: '0' },
    { name: 'rate', text: '-1' },
    { name: 'timeout', text: 'soon' },
    { name: 'intensity', text: 'Quick' },
    { name: 'header', text: 'no colon' },
    { name: 'header', text: 'A: b\r\nC: d' },
    { name: 'header', text: 'Content-Length: 3' },
    { name: 'assume', text: 'nothing' },
    { name: 'events', text: 'a,,b' },
    { name: 'report', text: '=x' },
    { name: 'probe', text: 'localhost:3000/effects/{id}' },
    { name: 'probe', text: 'localhost/effects/{id}' },
    { name: 'recover', text: '127.0.0.1:3000/recover' },
  ])('refuses --$name $text', ({ name, text }) => {
    expect(() => settings({ commandLine: { [name]: [text] } })).toThrow(`--${name} cannot be "${text}"`);
  });

  it('says that a secret is empty', () => {
    expect(() => settings({ commandLine: { secret: [''] } })).toThrowErrorMatchingInlineSnapshot(`
      [UsageError: --secret is empty
        valid: the secret as the receiver has it, not empty
        do:    give it such a value, or leave it out]
    `);
  });
});

describe('with --safe', () => {
  const safe = { safe: ['true'] };

  it.each([
    { reset: 'touch here' },
    { start: 'node server.js' },
    { image: 'receiver:1' },
    { env: { NODE_OPTIONS: '--require ./here.js' } },
    { probe: 'sqlite3 here' },
    { recover: 'touch here' },
  ])('what would run is refused: %o', (section) => {
    const [name] = Object.keys(section);
    expect(() => settings({ commandLine: safe, config: [section] })).toThrow(
      new RegExp(`^--safe was given, and the config file: ${name} has something run`),
    );
    // Also where the command line says something else, for the file is not to be trusted.
    const both = { ...safe, [name!]: ['x=y'] };
    expect(() => settings({ commandLine: both, config: [section] })).toThrow('--safe was given');
    expect(settings({ config: [section] })).toBeDefined();
  });

  it('nothing is written outside the folder of the file, also not by a link', async () => {
    const outside = await mkdtemp(join(directory, 'outside-'));
    const inside = await mkdtemp(join(directory, 'inside-'));
    await symlink(join(outside, 'not-there-yet'), join(inside, 'link.json'));
    await symlink(outside, join(inside, 'folder'));
    await symlink('circle', join(inside, 'circle'));
    const written = (path: string) =>
      settings({ commandLine: safe, directory: inside, config: [{ report: [`json=${path}`] }] });
    for (const path of ['../r.json', join(outside, 'r.json'), 'link.json', 'folder/r.json', 'circle', '.git/hooks/x'])
      expect(() => written(path)).toThrow('report has something written outside its folder');
    for (const path of ['r.json', 'new/folder/r.json', 'new/../r.json', '.github/r.json'])
      expect(written(path)).toBeDefined();
    const given = { ...safe, report: [`json=${join(outside, 'r.json')}`] };
    expect(settings({ commandLine: given, directory: inside })).toBeDefined();
  });

  it('the rest is taken, and what the command line runs', () => {
    for (const probe of ['http://localhost:3000/effects/{id}', '/effects/{id}']) {
      const taken = settings({ commandLine: { ...safe, start: ['node server.js'] }, config: [{ probe, seed: 7 }] });
      expect(taken).toMatchObject({ start: 'node server.js', seed: 7, probe });
    }
  });
});
