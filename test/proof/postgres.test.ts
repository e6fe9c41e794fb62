import { spawnSync } from 'node:child_process';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../runner/catcher/freePort.ts';
import { blocks } from '../docs/documents.ts';
import { conclusively } from './conclusively.ts';
import { complaints, intensity, processChecks, testReceiver } from './testReceiver.ts';
import { type Cluster, findPostgres, startCluster } from './postgres/cluster.ts';
import { brokenIn } from '../brokenIn.ts';

const programs = findPostgres();
/** In CI a missing PostgreSQL is a failure. */
const skipped = programs === undefined && process.env['SEAWORTHY_CI'] === undefined;

/** In CI those that kill or end it: what a store keeps shows there. */
const ownChecks = processChecks.filter((id) => intensity === 'standard' || /\/(crash|shutdown)\//.test(id));

/** A table of effects of which each takes a while: that a kill comes before its end is then no matter of luck. */
const slowEffects = `
  CREATE TABLE milestones (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, notification text NOT NULL, event text NOT NULL
  );
  CREATE FUNCTION take_a_while() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END';
  CREATE TRIGGER while_inserting BEFORE INSERT ON milestones FOR EACH ROW EXECUTE FUNCTION take_a_while();
`;

describe.skipIf(skipped)('the receiver on PostgreSQL (skipped where PostgreSQL is not installed)', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster(programs ?? '/usr/lib/postgresql');
    await query('postgres', 'CREATE DATABASE slow');
    await query('slow', slowEffects);
  });

  afterAll(() => cluster.close());

  async function query(database: string, text: string): Promise<void> {
    const client = new Client({ host: cluster.env['PGHOST'], user: cluster.env['PGUSER'], database });
    await client.connect();
    await client.query(text);
    await client.end();
  }

  async function hold(example: string, only: readonly string[], database = 'postgres') {
    const port = await freePort('127.0.0.1', new Set());
    const origin = `http://127.0.0.1:${port}`;
    const own = { PGDATABASE: database, PORT: String(port), WEBHOOK_SECRET: 'a secret of the example' };
    const env = { ...cluster.env, ...own, NODE_ENV: 'test' };
    const receiver = { url: `${origin}/hooks`, probe: `${origin}/effects/{id}`, close: async () => {} };
    return testReceiver(receiver, {
      start: `"${process.execPath}" examples/postgres/${example}`,
      env,
      secret: ['a secret of the example'],
      only,
      seed: 5,
    });
  }

  test('the recipe for SQL in "Recipes for probes" counts the rows of each id', async () => {
    await query('postgres', 'CREATE DATABASE probed');
    await query('probed', slowEffects.split(';')[0]!);
    await query('probed', "INSERT INTO milestones (notification, event) VALUES ('twice', 'a'), ('twice', 'b')");
    const [script] = blocks('docs/probes.md', 'sh');
    const env = { ...process.env, ...cluster.env, PGDATABASE: 'probed' };
    const { stdout, stderr } = spawnSync('sh', ['-c', script!], { env, input: 'never\ntwice\n', encoding: 'utf8' });
    expect(stdout + stderr).toBe('never 0\ntwice 2\n');
  });

  test.concurrent(
    'loses nothing where one transaction stores the id and the effect',
    { timeout: 300_000 },
    async () => {
      const summary = await conclusively(() => hold('receiver.ts', ownChecks));
      expect(complaints(summary)).toEqual([]);
      expect(summary.requirements.find(({ id }) => id === 'RCV-3')?.outcome).toBe('holds');
    },
  );

  test.concurrent(
    'loses what it acknowledged where the effect has a transaction of its own',
    { timeout: 300_000 },
    async () => {
      const summary = await hold('wrong.ts', ['receiver/crash/acknowledged'], 'slow');
      const broken = brokenIn(summary);
      expect({ broken, complaints: complaints(summary) }).toMatchObject({ broken: ['RCV-3'] });
    },
  );
});
