import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { schemaArbitrary } from '../generators/index.ts';
import { webhookBodies } from '../spec/webhookBodies.ts';
import { parseYaml } from '../spec/parseYaml.ts';

const verbose = process.argv.includes('-v');
for (const file of process.argv.slice(2).filter((each) => each !== '-v')) {
  const t0 = performance.now();
  const text = readFileSync(file, 'utf8');
  const document = (file.endsWith('json') ? JSON.parse(text) : parseYaml(text)) as Record<string, unknown>;
  const warnings: string[] = [];
  const bodies = webhookBodies(document, { warn: ({ pointer, effect, message }) => warnings.push(`${effect} ${pointer}: ${message}`) });
  const t1 = performance.now();
  let bad = 0, understood = 0, generating = 0, valid = 0, drawn = 0;
  for (const body of bodies) {
    try {
      const ts = performance.now();
      const { schema, validate } = body;
      understood += 1;
      const ta = performance.now();
      const problems: string[] = [];
      const arbitrary = schemaArbitrary(schema, { passOver: (p) => problems.push(body.source(p.pointer) + ' ' + p.message) });
      const tb = performance.now();
      const values = fc.sample(arbitrary, { seed: 1, numRuns: 100 });
      const tc = performance.now();
      drawn += values.length;
      for (const value of values) if (validate(value)) valid += 1; else if (verbose && (bad += 1) < 5) console.log(body.key, validate.errors?.[0]);
      generating += 1;
      const size = Math.max(...values.map((each) => JSON.stringify(each).length));
      if (verbose && (tc - ta > 500 || size > 1e5)) console.log('slow', body.key, (ta - ts) | 0, (tb - ta) | 0, (tc - tb) | 0, 'max bytes', size);
      for (const p of problems) warnings.push(`pass ${body.key} ${p}`);
    } catch (error) {
      console.log(body.key, String(error).slice(0, 300));
    }
  }
  const t2 = performance.now();
  console.log(file.split('/').at(-1), bodies.length, 'understood', understood, 'generating', generating, valid, '/', drawn, 'warnings', warnings.length, 'load', (t1 - t0) | 0, 'all', (t2 - t1) | 0, 'MB', (process.memoryUsage().rss / 1e6) | 0);
  if (verbose) for (const each of [...new Set(warnings)].slice(0, 30)) console.log('   ', each);
}
