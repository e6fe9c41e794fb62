import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type RunningService, type ServiceOptions, startService } from '../../reference/service/service.ts';
import { catalogue, ServiceClient } from './serviceClient.ts';
import { ServiceEndpoints } from './serviceEndpoints.ts';

let endpoints: ServiceEndpoints;
const running: RunningService[] = [];

beforeAll(async () => {
  endpoints = await new ServiceEndpoints().start();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

afterAll(() => endpoints.close());

async function start(options: ServiceOptions): Promise<ServiceClient> {
  const service = await startService({ backoff: [5], ...options });
  running.push(service);
  return new ServiceClient(service);
}

const [event, other] = catalogue as [string, string];

describe('slow receivers', () => {
  test('hold up nobody, however many they are', async () => {
    const client = await start({ timeout: 60_000, concurrency: 16 });
    const slow = Array.from({ length: 60 }, () => endpoints.add('hang'));
    const fast = endpoints.add(200);
    for (const { url } of slow) await client.webhook(url, { events: [event] });
    await client.webhook(fast.url, { events: [other] });
    for (let at = 0; at < 5; at += 1) expect(await client.emit(event)).toBe(60);
    const before = performance.now();
    for (let at = 0; at < 50; at += 1) await client.emit(other);
    await fast.caught(50);
    expect(performance.now() - before).toBeLessThan(20_000);
    for (const endpoint of slow) await endpoint.caught(1);
  });

  test('hold up nobody who shares their host, nor one of them the next', async () => {
    const client = await start({ timeout: 60_000, concurrency: 8 });
    const slow = endpoints.add('hang');
    await client.webhook(slow.url, { events: [event] });
    for (let at = 0; at < 40; at += 1) await client.emit(event);
    await slow.caught(4);
    const fast = endpoints.add(200);
    await client.webhook(fast.url, { events: [other] });
    const before = performance.now();
    await client.emit(other);
    await fast.caught(1);
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  test('do not keep the service from closing', async () => {
    const client = await start({ timeout: 60_000 });
    const slow = endpoints.add('hang');
    await client.webhook(slow.url);
    await client.emit(event);
    await slow.caught(1);
    const before = performance.now();
    await running.pop()!.close();
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});

describe('retries', () => {
  test('wait as the schedule says, the last pause for all that follow', async () => {
    const client = await start({ backoff: [20, 60, 120], jitter: 0 });
    const endpoint = endpoints.add(500, 500, 500, 500, 200);
    await client.webhook(endpoint.url);
    const emitted = performance.now();
    await client.emit(event);
    const attempts = await endpoint.caught(5);
    // From the triggered event on, for an attempt may be noticed later than it was made: the pauses seen may be shorter than they were.
    const seen = attempts.slice(1).map(({ at }) => at - emitted);
    for (const [index, least] of [20, 80, 200, 320].entries()) {
      expect(seen[index]).toBeGreaterThan(least - 4 * (index + 1));
      expect(seen[index]).toBeLessThan(least + 10_000);
    }
  });

  test('are spread by the jitter', async () => {
    const client = await start({ backoff: [400], jitter: 1 });
    const hooks = Array.from({ length: 40 }, () => endpoints.add(500, 200));
    for (const { url } of hooks) await client.webhook(url);
    await client.emit(event);
    const pauses = await Promise.all(
      hooks.map(async (endpoint) => {
        const [first, second] = await endpoint.caught(2);
        return second!.at - first!.at;
      }),
    );
    expect(Math.min(...pauses)).toBeLessThan(350);
    expect(Math.max(...pauses)).toBeGreaterThan(550);
  });
});

describe('who gets what', () => {
  test('a webhook gets the events in its list, and no others', async () => {
    const client = await start({});
    const narrow = catalogue.map((name) => ({ name, endpoint: endpoints.add(200) }));
    for (const { name, endpoint } of narrow) await client.webhook(endpoint.url, { events: [name] });
    const wide = endpoints.add(200);
    await client.webhook(wide.url);
    for (const name of catalogue) expect(await client.emit(name)).toBe(2);
    await client.settled(2 * catalogue.length);
    for (const { name, endpoint } of narrow) {
      expect(endpoint.attempts.map(({ json }) => json.data.attributes.event)).toEqual([name]);
    }
    expect(wide.attempts).toHaveLength(catalogue.length);
  });

  test('an inactive webhook gets nothing of what happens meanwhile, also not later', async () => {
    const client = await start({});
    const endpoint = endpoints.add(200);
    const { id } = await client.webhook(endpoint.url, { active: false });
    expect(await client.emit(event)).toBe(0);
    await client.update(id, { active: true, events: [other] });
    expect(await client.emit(event)).toBe(0);
    expect(await client.emit(other)).toBe(1);
    await client.update(id, { active: false });
    expect(await client.emit(other)).toBe(0);
    await client.settled(1);
    expect(endpoint.attempts.map(({ json }) => json.data.attributes.event)).toEqual([other]);
  });

  test('hundreds of webhooks get what happens', async () => {
    const client = await start({});
    const hooks = Array.from({ length: 300 }, () => endpoints.add(204));
    await Promise.all(hooks.map(({ url }) => client.webhook(url)));
    expect(await client.emit(event)).toBe(300);
    expect(await client.emit(other)).toBe(300);
    for (const endpoint of hooks) await endpoint.caught(2);
    await client.settled(600);
    for (const { attempts } of hooks) expect(attempts).toHaveLength(2);
  });
});

describe('repeated failures', () => {
  const isActive = (client: ServiceClient, id: string) =>
    client.until('listWebhooks', (all) => all.find((each) => each.id === id)!.attributes.active === false);

  test('turn a webhook inactive until it is turned active again', async () => {
    const client = await start({ backoff: [1], deactivateAfter: 2 });
    const endpoint = endpoints.add(500);
    const { id } = await client.webhook(endpoint.url);
    await client.emit(event);
    await client.settled(1);
    expect(await client.emit(event)).toBe(1);
    await isActive(client, id);
    expect(await client.emit(event)).toBe(0);
    await client.update(id, { events: [event] });
    expect(await client.emit(event)).toBe(0);

    await client.update(id, { active: true });
    expect(await client.emit(event)).toBe(1);
    await client.settled(3);
    expect(await client.emit(event)).toBe(1);
    await isActive(client, id);
    expect(await client.emit(event)).toBe(0);
    expect(endpoint.attempts).toHaveLength(4 * 13);
  });

  test('leave it active where a success comes between them', async () => {
    const client = await start({ backoff: [1], deactivateAfter: 2 });
    const endpoint = endpoints.add(500);
    const { id } = await client.webhook(endpoint.url);
    const accepting = endpoints.add(200);
    for (const url of [endpoint.url, accepting.url, endpoint.url, accepting.url, endpoint.url]) {
      await client.update(id, { url });
      expect(await client.emit(event)).toBe(1);
      await client.settled(1);
    }
    expect((await client.all('listWebhooks'))[0]!.attributes.active).toBe(true);
  });

  test('end retries of what was pending before by no means: they go on', async () => {
    const client = await start({ backoff: [1, 1, 30], deactivateAfter: 1 });
    const failing = endpoints.add(500);
    const recovering = endpoints.add(500, 500, 500, 200);
    const { id } = await client.webhook(failing.url);
    await client.emit(event);
    await client.settled(1);
    await client.update(id, { active: true, url: recovering.url });
    await client.emit(event);
    await recovering.caught(1);
    await client.update(id, { active: false });
    await recovering.caught(4);
    const [last] = await client.settled(2);
    expect(last!.attributes.delivery_status).toBe('succeeded');
  });
});

test.each([
  [{ backoff: [] }, /backoff is \[\]; valid is a list of milliseconds/],
  [{ backoff: [-1] }, /backoff is \[-1\]/],
  [{ jitter: 2 }, /jitter is 2; valid is 0 to 1/],
  [{ timeout: 0 }, /timeout is 0/],
  [{ concurrency: 0.5 }, /concurrency is 0.5/],
  [{ deactivateAfter: 0 }, /deactivateAfter is 0/],
  [{ speed: 0 }, /speed is 0/],
])('it does not start with %j', async (options, message) => {
  await expect(startService(options)).rejects.toThrow(message);
});
