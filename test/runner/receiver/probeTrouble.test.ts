import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { runProblems } from '../../../reports/model/runProblems.ts';
import { summarise } from '../../../reports/model/summary.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { UsageError } from '../../../runner/errors.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { useTargets } from '../targets.ts';

const secret = ['a secret of the probe'];
const targets = useTargets(afterAll);

async function started(policies?: ReceiverPolicies) {
  const receiver = await startReceiver({ secrets: secret, ...(policies && { policies }) });
  targets.closeAfterwards(() => receiver.close());
  return receiver;
}

/** @returns the address of a probe that is served by this listener */
async function probeOf(listener: RequestListener): Promise<string> {
  const { origin } = await targets.listen(createServer(listener));
  return `${origin}/effects/{id}`;
}

async function run(url: string, probe: string, options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const only = ['receiver/idempotency/takes-effect-once'];
  const plan = await receiverPlan(url, { secret, probe, only, intensity: 'quick', seed: 7, settle: 150, ...options });
  return summarise(await Array.fromAsync(runReceiver(plan)));
}

/** The error that the run ends with before the first check. */
async function refused(probe: string): Promise<UsageError> {
  const { url } = await started();
  const error = await run(url, probe).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const usage = error as UsageError;
  expect([usage.code, usage.exitCode]).toEqual(['SW_PROBE_UNUSABLE', 2]);
  return usage;
}

describe.concurrent('a probe URL that does not count ends the run before the first check', () => {
  test.each([
    [404, 'no such page', 'answered 404 with "no such page"'],
    [200, '<html>hello</html>', 'answered 200 with "<html>hello</html>"'],
    [200, '', 'answered 200 with ""'],
    [200, '{"count":-1}', 'answered 200 with "{\\"count\\":-1}"'],
    [200, '{"count":1e309}', 'answered 200 with "{\\"count\\":1e309}"'],
    [302, '', 'answered 302 (Location: /login) with ""'],
    [200, '{"count":1}', 'which was never sent, it counted 1 effect'],
  ])('%i %s', async (status, text, words) => {
    const headers = status === 302 ? { Location: '/login' } : {};
    const error = await refused(await probeOf((_, response) => void response.writeHead(status, headers).end(text)));
    expect(error.message).toContain(words);
  });

  test.each([
    ['an absurd count of what was delivered', 1_000_000, /of one delivery it counted 1000000 effects/],
    [
      'an effect of an id that differs in a digit',
      1,
      /never sent, it counted 1 effect, as of .* the whole id: .*IDM-4/s,
    ],
  ])('%s', async (_, count, words) => {
    const asked: string[] = [];
    const probe = await probeOf(({ url = '' }, response) => {
      asked.push(url);
      response.end(JSON.stringify({ count: asked[0] === url ? 0 : count }));
    });
    expect((await refused(probe)).message).toMatch(words);
  });

  test('an effect of an id in another case', async () => {
    const { href } = await targets.http((_, response) => void response.writeHead(204).end());
    const asked = new Set<string>();
    const probe = await probeOf(({ url = '' }, response) => {
      response.end(JSON.stringify({ count: Number(asked.has(url.toLowerCase())) }));
      asked.add(url.toLowerCase());
    });
    const error = await run(href, probe, { contract: 'stripe', settle: 2000 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(
      /never sent, it counted 1 effect, as of .* no column that ignores case/s,
    );
  });

  test('huge', async () => {
    const error = await refused(await probeOf((_, response) => void response.end('x'.repeat(2 * 1024 * 1024))));
    expect(error.message).toContain('The probe could not be asked');
  });
});

describe.concurrent('a probe command that does not count ends the run before the first check', () => {
  test.each([
    ['cat > /dev/null', 'and printed nothing'],
    ['cat > /dev/null; echo -1', 'printed the line "-1"'],
    ['while read id; do echo "$id 1e309"; done', ' 1e309", which cannot be read'],
    ['cat > /dev/null; echo "<html>"', 'printed the line "<html>"'],
    ['exit 3', 'ended with exit code 3'],
  ])('%s', async (command, words) => {
    expect((await refused(command)).message).toContain(words);
  });
});

/** The probe of the reference, which answers some questions in another way. */
async function failing(receiver: { readonly probe: string }, isFailing: (asked: number) => boolean): Promise<string> {
  let asked = 0;
  return probeOf(async ({ url = '' }, response) => {
    asked += 1;
    if (isFailing(asked)) return void response.writeHead(500).end('broken');
    const id = url.slice(url.lastIndexOf('/') + 1);
    const answer = await fetch(receiver.probe.replace('{id}', id)).catch(() => undefined);
    response.writeHead(answer?.status ?? 502).end(await answer?.text());
  });
}

test.concurrent('a probe that fails now and then is asked again', async () => {
  const receiver = await started();
  const summary = await run(receiver.url, await failing(receiver, (asked) => asked % 20 === 5));
  expect(summary.probeFailed).toBeUndefined();
  expect(exitCode(summary)).toBe(0);
});

test.concurrent('a probe that fails for good later fails the run, which says so', async () => {
  const receiver = await started();
  const only = ['receiver/idempotency/takes-effect-once', 'VRF-4'];
  const summary = await run(receiver.url, await failing(receiver, (asked) => asked > 60), { only });
  expect(exitCode(summary)).toBe(3);
  const [problem] = runProblems(summary);
  expect(problem?.title).toBe('the probe failed, and effects that it did not show were not judged');
  expect(problem?.text).toContain('answered 500 with "broken"');
});

test.concurrent('a probe that shows no effect of any accepted delivery fails the run', async () => {
  const { url } = await started();
  const summary = await run(url, await probeOf((_, response) => void response.end('{"count":0}')), { only: ['VRF-2'] });
  expect(summary.probeFailed?.reason).toContain('no plain delivery showed exactly one effect through --probe, but 0');
  expect(exitCode(summary)).toBe(3);
});

test.concurrent('where each wave of plain deliveries takes effect for its last one, the one sent alone shows that the probe counts', async () => {
  let current = '';
  const { url, probe } = await started({
    ...conformingPolicies,
    accept: async (notification, store) => {
      const { id } = notification;
      if (store.has(id)) return 'duplicate';
      store.remember({ ...notification, key: id });
      current = id;
      await sleep(300);
      store.takeEffect(current);
      return 'new';
    },
  });
  const summary = await run(url, probe, { only: ['receiver/load/long-queue'] });
  expect(summary.checks[0]?.counterexample).toMatchObject({ actual: 'no effect', requirements: ['RTY-1'] });
});
