import { afterEach, describe, expect, it } from 'vitest';

import { catalogue } from './catalogue.ts';
import { HandService, type Traits } from './handService.ts';
import { check, finding, hold } from './testOwnService.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

async function start(traits: Traits = {}): Promise<HandService> {
  return (service = await HandService.start(traits));
}

const reported = check('reported', async (kit) => {
  const webhook = await kit.register();
  const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
  return notified?.event === kit.scenarioEvents[0] ? undefined : finding(kit, 'nothing came', true);
});

/** A target without its own way of raising events. */
function quiet({ url, token }: HandService) {
  return { url, token };
}

describe('--emit', () => {
  it('may be a command, which finds the event in its environment', async () => {
    const target = await start();
    const script = `fetch('${target.emit}', { method: 'POST', body: JSON.stringify({ event: process.env.EVENT }) })`;
    const held = await hold(quiet(target), [reported], { emit: `'${process.execPath}' -e "${script}"` });
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(target.raised).toHaveLength(2);
  });

  it.each<readonly [string, (target: HandService) => string, RegExp]>([
    ['a command that fails', () => 'echo no queue >&2; exit 3', /^the command of --emit ended with 3: no queue\n/],
    ['a command that says nothing', () => 'exit 3', /^the command of --emit ended with 3\n/],
    ['a URL that refuses', ({ url }) => `${url}/nothing`, /\/nothing answered 401 to \{"event":"[\w.]+"\}\n/],
    ['a URL that nobody answers', () => 'http://127.0.0.1:1/emit', /^--emit .* could not be called: /],
  ])('ends the run where it raises nothing: %s', async (_, emit, message) => {
    const target = await start();
    const held = hold(quiet(target), [reported], { emit: emit(target) });
    await expect(held).rejects.toMatchObject({ code: 'SW_EMIT_UNUSABLE', message: expect.stringMatching(message) });
    expect(target.webhooks.size).toBe(0);
  });

  it('may refuse an event, and raise others', async () => {
    const target = await start();
    const script = `fetch('${target.emit}', { method: 'POST', body: JSON.stringify({ event: process.env.EVENT }) })`;
    const unknown = `case $EVENT in *loaded) exit 4; esac; '${process.execPath}' -e "${script}"`;
    const held = await hold(quiet(target), [reported], { emit: unknown });
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(target.raised.filter((event) => event.endsWith('loaded'))).toEqual([]);
  });

  it('that dies with the service is not said to be wrong', async () => {
    const answer: Traits['answer'] = ({ path }, dying) => void (path === '/emit' && dying.close());
    const target = await start({ answer });
    const held = await hold(quiet(target), [reported], { emit: target.emit });
    expect(held.check()).toMatchObject({ outcome: 'not-observable', reason: expect.stringContaining('--emit') });
  });
});

describe('numbers', () => {
  const trackable = [
    { issuer: 'MAEU', number: 'A1' },
    { issuer: 'MSCU', number: 'B2' },
  ];

  it('are used in turn', async () => {
    const target = await start();
    const thrice = check('thrice', async (kit) => {
      const webhook = await kit.register();
      for (let time = 1; time <= 3; time++) {
        const triggered = await kit.trigger(catalogue.found);
        if (!(await kit.arrival(webhook, triggered))) return finding(kit, `nothing came the ${time}. time`);
        if (triggered.by !== 'trackable' || !triggered.call) return finding(kit, `it was caused by ${triggered.by}`);
      }
      return undefined;
    });
    const held = await hold(quiet(target), [thrice], { trackable });
    const requests = target.callsOf('POST', /^\/tracking_requests$/);
    const numbers = requests.map(({ body }) => JSON.parse(body).data.attributes.request_number as string);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(numbers).toEqual(['A1', 'B2', 'A1']);
  });

  it('show nothing, and why, where the service refuses to track them', async () => {
    const answer: Traits['answer'] = ({ path }) => (path === '/tracking_requests' ? { status: 422 } : undefined);
    const held = await hold(quiet(await start({ answer })), [reported], { trackable: trackable.slice(0, 1) });
    expect(held.check()).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(
        /^the tracking request for MAEU:A1 was answered 422: .* give --trackable several times/,
      ),
    });
  });

  it('give way to --emit where one that is not known is refused at once: nothing happens then', async () => {
    const answer: Traits['answer'] = ({ path }) => (path === '/tracking_requests' ? { status: 422 } : undefined);
    const target = await start({ answer });
    const unfound = check('unfound', async (kit) => {
      const webhook = await kit.register({ events: [catalogue.unknown] });
      const notified = await kit.arrival(webhook, await kit.trigger(catalogue.unknown));
      return notified?.event === catalogue.unknown ? undefined : finding(kit, 'nothing came', true);
    });
    const held = await hold(target, [unfound], { untrackable: trackable.slice(0, 1), retryWindow: 1000 });
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  });

  it('are asked about where nothing comes of them', async () => {
    const target = quiet(await start({ tells: () => false }));
    const held = await hold(target, [reported], { trackable: trackable.slice(0, 1), retryWindow: 200 });
    expect(held.check().reason).toContain('a number of --trackable was asked for: is it one that the service finds?');
  });

  it('are asked for where nothing was given', async () => {
    const held = await hold(quiet(await start()), [reported]);
    expect(held.check().outcome).toBe('not-observable');
    expect(held.check().reason).toMatch(/--emit.*--trackable <SCAC:NUMBER>/);
  });
});
