import { afterEach, describe, expect, it } from 'vitest';

import { plainBody } from '../../../suites/service/samples/deliveredSamples.ts';
import { HandService, type Reply } from '../../runner/service/handService.ts';
import { hold } from '../../runner/service/testOwnService.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

/** Sends a sample, and waits for what the receiver says. */
async function sampled(body: string): Promise<boolean> {
  const { url, event } = JSON.parse(body) as { url: string; event: string };
  const sample = { data: { id: crypto.randomUUID(), type: 'webhook_notification', attributes: { event } } };
  return (await fetch(url, { method: 'POST', body: JSON.stringify(sample) })).ok;
}

/** What the check finds where samples are ordered in this way. */
async function held(answer: (body: string) => Promise<Reply>) {
  service = await HandService.start({
    answer: ({ path, body }) => (path === '/webhooks/trigger' ? answer(body) : undefined),
  });
  const run = await hold(service, [plainBody]);
  const learned = run.summary.learned.find(({ key }) => key === 'sample.retries')?.value;
  return { outcome: run.check().outcome, learned };
}

describe('an order of a sample', () => {
  it.each<readonly [string, (body: string) => Promise<Reply>]>([
    ['says that it sent the sample', async (body) => ({ status: (await sampled(body)) ? 200 : 202 })],
    ['reports that the receiver refused it', async (body) => ({ status: (await sampled(body)) ? 200 : 422 })],
  ])('is taken as it is where the answer %s', async (_, answer) => {
    expect(await held(answer)).toEqual({ outcome: 'passed', learned: 'never' });
  });

  it('may be taken and never be carried out: that is for another check', async () => {
    expect(await held(async () => ({ status: 202 }))).toEqual({ outcome: 'passed', learned: undefined });
  });

  it('is refused where a wrapper is wanted, which is found', async () => {
    const wrapped = async (body: string): Promise<Reply> => ({ status: 'data' in JSON.parse(body) ? 202 : 422 });
    expect(await held(wrapped)).toEqual({ outcome: 'failed', learned: undefined });
  });
});
