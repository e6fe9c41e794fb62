import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { startPress } from '../../../reference/press/press.ts';
import { ServiceFuzzTarget } from '../../../runner/fuzz/targetKinds.ts';
import { inServiceSession } from '../../../runner/service/runService.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';
import { serviceModel } from '../../../suites/fuzz/service/index.ts';

const press = fileURLToPath(new URL('../../../reference/press/', import.meta.url));

class Target extends ServiceFuzzTarget {
  get rows(): number {
    return this.rowsOf(false);
  }
  get drawn(): readonly string[] {
    return this.events;
  }
}

test.for([
  [
    'has few, so that all of them follow each other',
    /^ {2}job\.(queued|printed|bound|packed|shipped|cancelled): .*\n/gm,
    1,
  ],
  ['has many, so that each lane has events of its own', /$^/g, 3],
  ['has one or two more, which the last lane has too', /^ {2}job\.cancelled: .*\n/gm, 2],
] as const)(
  'sequences that are played side by side have no event in common: a contract %s',
  async (given, { onTestFinished }) => {
    const [, left, rows] = given;
    const service = await startPress({ pauses: [25], timeout: 1500 });
    const directory = await mkdtemp(join(tmpdir(), 'seaworthy-few-'));
    onTestFinished(async () => {
      await service.close();
      await rm(directory, { recursive: true });
    });
    const text = await readFile(join(press, 'contract.yaml'), 'utf8');
    const contract = join(directory, 'contract.yaml');
    await writeFile(contract, text.replace('./openapi.yaml', join(press, 'openapi.yaml')).replaceAll(left, ''));
    const { url, key: token, emit } = service;
    const plan = await servicePlan(url, {
      contract,
      token,
      emit,
      seed: 1,
      checks: [],
      secondOpinion: false,
      directory,
    });
    let [played, drawn, all] = [0, [] as readonly string[], [] as readonly string[]];
    await inServiceSession(plan, {
      elapsed: () => performance.now(),
      emit: () => {},
      work: async (side) => {
        const target = new Target(side, serviceModel);
        [played, drawn, all] = [target.rows, target.drawn, side.events];
      },
    });
    expect(played).toBe(rows);
    expect(drawn).toEqual(all);
  },
);
