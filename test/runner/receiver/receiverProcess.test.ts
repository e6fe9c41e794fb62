import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../../suites/check.ts';
import type { ReceiverKit } from '../../../suites/kit.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** Accepts everything once it has warmed up, ends of the body `die`, takes nobody after `deaf`, and does not start where a file named `stale` is there. */
const mortal = `
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
if (existsSync('stale')) throw new Error('another one is running, says the file');
if (process.env.LEAVES_A_FILE) writeFileSync('stale', '');
await new Promise((resolve) => setTimeout(resolve, Number(process.env.WARMS_UP)));
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => {
    if (body === 'die' || body === 'die later') console.log('this is too much for me');
    if (body === 'die') process.exit(3);
    if (body === 'die later') setTimeout(() => process.exit(3), 20);
    if (body === 'deaf') setTimeout(() => server.close().closeAllConnections(), 1);
    if (body === 'deaf') setInterval(() => {}, 1000);
    response.end();
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
`;

/** A receiver of one test, which the kit starts. */
interface Mortal {
  readonly url: string;
  /** Options that start it. */
  readonly started: ReceiverPlanOptions;
  /** All events of a quick run of these checks. */
  eventsOf(checks: readonly ReceiverCheck[], env?: Readonly<Record<string, string>>): Promise<readonly RunEvent[]>;
}

async function mortalReceiver({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Mortal> {
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-process-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'mortal.mjs'), mortal);
  const port = await freePort('127.0.0.1', new Set());
  const url = `http://127.0.0.1:${port}/hooks`;
  const start = `cd ${directory} && exec ${process.execPath} mortal.mjs`;
  const started: ReceiverPlanOptions = { start, env: { PORT: String(port) }, directory: join(directory, 'runs') };
  return {
    url,
    started,
    async eventsOf(checks, env = {}) {
      const options = { ...started, env: { ...started.env, ...env } };
      const plan = await receiverPlan(url, { ...options, intensity: 'quick', seed: 7, shrinkTime: 0, checks });
      return Array.fromAsync(runReceiver(plan));
    },
  };
}

/** A check of one kind of case, whose run is all that matters. */
function check(id: string, run: ReceiverCheck['run'], parts: Partial<ReceiverCheck> = {}): ReceiverCheck {
  const cases: ReceiverCheck['cases'] = (draw) => [draw.notification()];
  const plain = { title: id, needs: [], requirements: ['RCV-1'], hint: 'fix it' } as const;
  return receiverCheck({ ...plain, id: `receiver/test/${id}`, cases, run, ...parts });
}

function sends(body: string): ReceiverCheck['run'] {
  return async (kit) => {
    await kit.deliver(kit.compose(kit.control, { rewrite: () => Buffer.from(body) }));
    return undefined;
  };
}

/** Finds fault with whatever is not accepted, as long as it recurs. */
async function mustAccept(kit: ReceiverKit): Promise<Finding | undefined> {
  const answer = await kit.deliver(kit.compose(kit.control));
  if (kit.accepts(answer)) return undefined;
  const { attempts } = kit;
  return { requirements: ['RCV-1'], expected: 'an accepting answer', actual: answer.kind, absence: true, attempts };
}

function outcomes(summary: RunSummary): Readonly<Record<string, string>> {
  return Object.fromEntries(summary.checks.map(({ id, outcome }) => [id.slice('receiver/test/'.length), outcome]));
}

describe('a receiver that dies of a case', () => {
  test.concurrent.for([
    ['beside others', 'die', 'beside'],
    ['alone', 'die', 'alone'],
    ['a moment after its answer', 'die later', 'alone'],
  ] as const)(
    '%s: that case is convicted, it is started again, and the run goes on',
    async ([, body, kind], context) => {
      const receiver = await mortalReceiver(context);
      const deadly = check('deadly', sends(body), {
        schedule: { kind },
        requirements: ['RCV-5', 'ROB-1'],
        fatal: 'ROB-1',
      });
      const summary = summarise(
        await receiver.eventsOf([check('harmless', mustAccept), deadly, check('last', mustAccept)]),
      );
      expect(outcomes(summary)).toEqual({ harmless: 'passed', deadly: 'warned', last: 'passed' });
      const [, { counterexample }] = summary.checks as [unknown, RunSummary['checks'][number]];
      expect(counterexample).toMatchObject({
        requirements: ['ROB-1'],
        actual: 'it died with exit code 3, after it wrote: this is too much for me',
        died: true,
      });
      expect(summary).toMatchObject({ run: { complete: true }, errors: [] });
      expect(summary.deaths.length).toBeGreaterThan(1);
      expect(summary.deaths[0]).toMatchObject({ detail: 'exit code 3' });
      expect(summary.deaths[0]!.said).toContain('this is too much for me');
      expect(await readFile(summary.said!.file!, 'utf8')).toContain('this is too much for me\n');
    },
  );

  test.concurrent('or serves nobody after it: the hint speaks of what keeps all waiting, and of no error', async (context) => {
    const receiver = await mortalReceiver(context);
    const deadly = check('deadly', sends('deaf'), { schedule: { kind: 'alone' }, fatal: 'ROB-1' });
    const summary = summarise(await receiver.eventsOf([deadly, check('last', mustAccept)]));
    const { actual, hint } = summary.checks[0]!.counterexample!;
    expect(actual).toBe('it ran, and took no connections any more, so that the kit killed it');
    expect(hint).toMatch(/^One request must never keep the others waiting for ever: .* a pool with nothing left/);
  });

  test.concurrent('and does not come up again: that is the last case', async (context) => {
    const receiver = await mortalReceiver(context);
    const deadly = check('deadly', sends('die'), { schedule: { kind: 'alone' }, fatal: 'ROB-1' });
    const never = check('never', mustAccept, { schedule: { kind: 'alone' } });
    const summary = summarise(await receiver.eventsOf([deadly, never], { LEAVES_A_FILE: 'yes' }));
    expect(outcomes(summary)).toEqual({ deadly: 'warned', never: 'inconclusive' });
    expect(summary.checks[0]!.counterexample!.actual).toContain('another one is running, says the file');
    expect(summary.lost?.reason).toContain('did not come up again');
  });
});

describe('a check that holds process control of the target', () => {
  const killed = check(
    'killed',
    async (kit) => {
      await kit.deliver(kit.compose(kit.control));
      await kit.processControl.kill();
      const refused = await kit.deliver(kit.compose(kit.control));
      await kit.processControl.start();
      await kit.deliver(kit.compose(kit.control));
      const actual = refused.kind === 'broken' ? refused.code : refused.kind;
      return { requirements: ['RCV-1'], expected: 'a miracle', actual, absence: false, attempts: kit.attempts };
    },
    { needs: ['process-control'], schedule: { kind: 'interrupting' } },
  );

  test.concurrent('sees what it did, and its report says when', async (context) => {
    const receiver = await mortalReceiver(context);
    const events = await receiver.eventsOf([killed]);
    const { counterexample } = summarise(events).checks[0]!;
    expect(counterexample!.actual).toBe('ECONNREFUSED');
    const order = counterexample!.timeline!.map(({ what }) => what);
    expect(order).toEqual(['sent', 'answered', 'killed', 'sent', 'broken', 'started', 'sent', 'answered']);
    const times = counterexample!.timeline!.map(({ ms }) => ms);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(events.some((event) => event.type === 'life.changed' && event.check === killed.id)).toBe(true);
  });

  test.concurrent('finds the target up at every case, however the one before left it', async (context) => {
    const receiver = await mortalReceiver(context);
    const careless = (['kill', 'stop', 'pause'] as const).map((interruption) =>
      check(`after-${interruption}`, (kit) => kit.processControl[interruption]().then(() => undefined), {
        needs: ['process-control'],
        schedule: { kind: 'interrupting' },
      }),
    );
    const after = check('after', mustAccept, { needs: ['process-control'], schedule: { kind: 'interrupting' } });
    const summary = summarise(await receiver.eventsOf([...careless, after]));
    expect(new Set(Object.values(outcomes(summary)))).toEqual(new Set(['passed']));
  });

  test.concurrent('ends the run where the target does not come up again', async (context) => {
    const receiver = await mortalReceiver(context);
    const stops = check('stops', (kit) => kit.processControl.kill().then(() => undefined), {
      needs: ['process-control'],
      schedule: { kind: 'interrupting' },
      fatal: 'RTY-1',
    });
    const summary = summarise(await receiver.eventsOf([stops], { LEAVES_A_FILE: 'yes' }));
    expect(summary.checks[0]).toMatchObject({ outcome: 'failed', counterexample: { requirements: ['RTY-1'] } });
    expect(summary.run.complete).toBe(false);
  });

  test.concurrent('and throws: no process is left', async (context) => {
    const receiver = await mortalReceiver(context);
    const throws = check('throws', () => Promise.reject(new TypeError('a bug of the check')), {
      needs: ['process-control'],
      schedule: { kind: 'interrupting' },
    });
    const summary = summarise(await receiver.eventsOf([throws]));
    expect(outcomes(summary)).toEqual({ throws: 'errored' });
    await expect(fetch(receiver.url)).rejects.toThrow('fetch failed');
  });
});

// Alone: where others keep this process from its work, what was seen too late does not count, and is tried once more.
test.for([
  [true, 'failed'],
  [false, 'inconclusive'],
] as const)(
  'an absence that recurs in one try of three counts where the moment decides (%s)',
  async ([timed, outcome], context) => {
    const receiver = await mortalReceiver(context);
    let tried = 0;
    const rare: ReceiverCheck['run'] = async (kit) => {
      const actual = 'nothing came';
      await mustAccept(kit);
      if (tried++ % 3 > 0) return undefined;
      return { requirements: ['RCV-1'], expected: 'it comes', actual, absence: true, attempts: kit.attempts };
    };
    const cases: ReceiverCheck['cases'] = (draw) => [draw.notification()];
    const schedule = { kind: 'interrupting', timed } as const;
    const summary = summarise(await receiver.eventsOf([check('rare', rare, { schedule, cases, weight: 0.1 })]));
    expect(outcomes(summary)).toEqual({ rare: outcome });
  },
);

test.concurrent('what starts slowly gets fewer of the cases that restart it', async (context) => {
  const receiver = await mortalReceiver(context);
  const many = check('many', mustAccept, { schedule: { kind: 'interrupting' }, weight: 4 });
  const others = check('others', mustAccept, { schedule: { kind: 'beside' }, weight: 4 });
  const { checks } = summarise(await receiver.eventsOf([others, many], { WARMS_UP: '2000' }));
  const [beside = 0, restarting = 0] = checks.map(({ cases }) => cases);
  expect(beside).toBeGreaterThan(8);
  expect(restarting).toBeGreaterThan(0);
  expect(restarting).toBeLessThanOrEqual(beside / 3);
});

test.concurrent('a reader that goes away ends the run, and the target with it', async (context) => {
  const { url, started } = await mortalReceiver(context);
  const plan = await receiverPlan(url, started);
  for await (const event of runReceiver(plan)) if (event.type === 'control.finished') break;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
