import { runInNewContext } from 'node:vm';

import { transform } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { vitestTest } from '../../../runner/export/vitestTest.ts';
import { caseOf, type SavedCase } from '../../../runner/engine/savedCase.ts';
import { intensity } from '../../proof/testReceiver.ts';
import { everyMember } from '../everyMember.ts';
import { everyCase } from './everyCase.ts';
import { hostileText } from './hostileCases.ts';

const saved = {
  seaworthy: 'case',
  format: 1,
  subject: 'receiver',
  kit: { name: 'seaworthy', version: '0.1.0' },
  check: 'receiver/fuzz/idm-2',
  title: 'A notification takes effect once.',
  requirements: ['IDM-2'],
  summary: 'two effects',
  expected: 'one effect',
  actual: 'two effects',
  cause: 'twice',
  sequence: [{ words: 'deliver a', step: { do: 'deliver', of: { deep: ['x'] } }, seed: 1, path: '0' }],
  beside: [[{ words: 'deliver b', step: { do: 'deliver' }, seed: 1, path: '' }]],
  value: null,
  seed: 1,
  path: '0',
  intensity: 'quick',
  events: ['request.created'],
  url: 'http://127.0.0.1:9/hooks',
  options: { probe: ['http://127.0.0.1:9/{id}'], header: ['X-Key: $SEAWORTHY_HEADER_X_KEY'] },
  env: ['SECRET'],
} as const;

/** What a module does when it is loaded. */
interface Loaded {
  readonly imports: readonly string[];
  readonly tests: readonly string[];
  readonly replayed: readonly unknown[];
  readonly canary: unknown;
}

/** Compiles the module, loads it where nothing but its two imports is there, and runs its test. */
async function loaded(source: string): Promise<Loaded> {
  const { code } = await transform(source, { loader: 'ts', format: 'cjs' });
  const bodies: (() => Promise<void>)[] = [];
  const found = { imports: [] as string[], tests: [] as string[], replayed: [] as unknown[] };
  const modules: Readonly<Record<string, object>> = {
    vitest: {
      expect: () => ({ toBe() {} }),
      test: (name: string, body: () => Promise<void>) => void (found.tests.push(name), bodies.push(body)),
    },
    seaworthy: {
      replay: (given: unknown) => {
        found.replayed.push(given);
        return { outcome: 'fixed', says: '' };
      },
    },
  };
  const require = (name: string): object => {
    found.imports.push(name);
    return modules[name] ?? {};
  };
  const context: Record<string, unknown> = { require, exports: {}, module: { exports: {} }, process: { env } };
  runInNewContext(code, context, { timeout: 5000 });
  for (const body of bodies) await body();
  return { ...found, canary: context['canary'] };
}

/** Every variable is set: a hostile text may go on with the name of one. */
const env = new Proxy<Record<string, string>>(
  { SEAWORTHY_URL: 'http://127.0.0.1:9/hooks' },
  { get: (known, name: string) => known[name] ?? 'key' },
);

async function requireData(hostile: SavedCase, file: string): Promise<void> {
  const { exchange: _, timeline: __, ...kept } = hostile;
  const { imports, tests, replayed, canary } = await loaded(vitestTest(hostile, file));
  expect(imports).toEqual(['seaworthy', 'vitest']);
  expect(tests).toHaveLength(1);
  expect(tests[0]).toContain(hostile.requirements.join(', '));
  const [{ options, ...given } = { options: {} }] = replayed as readonly { options: object }[];
  const { options: inFile, ...others } = kept;
  expect(JSON.stringify(given)).toBe(JSON.stringify({ ...others, value: null }));
  for (const [name, texts] of Object.entries(options)) expect(inFile[name]).toEqual(texts);
  expect(canary).toBeUndefined();
}

test('a test for Vitest imports what is ours, and takes all else of the file for data', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, fc.nat(), async (text, name, place) => {
      const places = everyMember(saved, text);
      const { value } = places[place % places.length]!;
      const hostile = accepted(value);
      if (hostile !== undefined) await requireData(hostile, 'x.test.ts');
      await requireData({ ...saved, [name]: [text, { [name]: text }] } as SavedCase, `${text}.test.ts`);
    }),
    { numRuns: intensity === 'standard' ? 300 : 60 },
  );
});

test('every member of a file that is taken for a saved case may be anything', async () => {
  const text = '*/"\';`globalThis.canary=1;`\n\u2028globalThis.canary=1//${globalThis.canary=1}';
  let taken = 0;
  for (const { value } of everyMember(saved, text)) {
    const hostile = accepted(value);
    if (hostile === undefined) continue;
    taken += 1;
    await requireData(hostile, 'x.test.ts');
  }
  expect(taken).toBeGreaterThan(20);
});

function accepted(value: unknown): SavedCase | undefined {
  try {
    return caseOf(value, 'it');
  } catch {
    return undefined;
  }
}

test('a name that would set the prototype stays a member', async () => {
  const hostile = JSON.parse(
    `{ ${JSON.stringify(saved).slice(1, -1)}, "__proto__": { "canary": 1 }, "options": { "__proto__": ["x"] } }`,
  ) as SavedCase;
  const { replayed } = await loaded(vitestTest(hostile, 'x.test.ts'));
  expect(JSON.stringify(replayed[0])).toContain('"__proto__":{"canary":1}');
  expect(JSON.stringify(replayed[0])).toContain('"options":{}');
});

test('the name of a test says what must hold', () => {
  expect(vitestTest(everyCase['sequence']!, 'x.test.ts')).toContain(
    'test("IDM-3: takes effect once for copies at the same time: exactly one effect", async',
  );
});
