import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import { openContract } from '../../../runner/options/openContract.ts';
import { unknownNumber } from '../../../suites/contracts/tracking/refusedTracking.ts';
import { HandService, notificationOf } from '../../runner/service/handService.ts';
import { hold } from '../../runner/service/testOwnService.ts';

const { found, unknown } = openContract().service!.tracking!;
const number = 'MAEU000000000';
let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

const request = () => ({ id: randomUUID(), type: 'tracking_request', attributes: { request_number: number } });
const shipment = (bill: string) => ({
  id: randomUUID(),
  type: 'shipment',
  attributes: { bill_of_lading_number: bill },
});

interface Line {
  /** What is said of a request. Default: nothing. */
  readonly event?: string;
  /** The numbers of the shipments that the news brings along, and of those that are listed. Default: none. */
  readonly reported?: string;
  readonly listed?: string;
}

/** What the check finds of a service whose requests come to this. @param known - a number that it can rightly find */
async function held({ event, reported, listed }: Line, known: string) {
  const [included, data] = [reported, listed].map((bill) => (bill === undefined ? [] : [shipment(bill)]));
  service = await HandService.start({
    bodyOf: (notification) => JSON.stringify({ data: notificationOf(notification), included }),
    answer: ({ method, path }, self) => {
      if (path === '/shipments') return { status: 200, body: { data } };
      if (path !== '/tracking_requests') return undefined;
      if (method === 'GET') return { status: 200, body: { data: [request()] } };
      if (event !== undefined) self.raise(event);
      return { status: 201, body: { data: request() } };
    },
  });
  const run = await hold(service, [unknownNumber], {
    trackable: [{ issuer: 'MAEU', number: known }],
    untrackable: [{ issuer: 'MAEU', number }],
    retryWindow: 1000,
  });
  const { outcome, counterexample } = run.check();
  return { outcome, actual: counterexample?.actual };
}

describe('a number that the carrier does not know', () => {
  const other = 'MAEU123456789';

  it('is found where the news names it in what it brings along, and not the request', async () => {
    const actual = 'it was taken (201 Created), and then reported as found';
    expect(await held({ event: found, reported: number }, other)).toEqual({ outcome: 'failed', actual });
  });

  it('is found where the news brings along records that name no number at all', async () => {
    expect(await held({ event: found, reported: 'FLEET-7' }, other)).toMatchObject({ outcome: 'failed' });
  });

  it('is left open where the news brings along the shipment of another number', async () => {
    expect(await held({ event: found, reported: other }, other)).toMatchObject({ outcome: 'inconclusive' });
  });

  it('is found where it is among the shipments, although no news came', async () => {
    const actual = `a shipment with the number ${number} is listed`;
    expect(await held({ listed: number }, other)).toEqual({ outcome: 'failed', actual });
  });

  it('is not found where tracking fails', async () => {
    expect(await held({ event: unknown }, other)).toMatchObject({ outcome: 'passed' });
  });

  it('is not found where the news that tracking failed brings along what says nothing of any request', async () => {
    expect(await held({ event: unknown, reported: other }, other)).toMatchObject({ outcome: 'passed' });
  });

  it('is left open where nothing is heard and nothing is listed', async () => {
    expect(await held({}, other)).toMatchObject({ outcome: 'inconclusive' });
  });

  it.each<readonly [string, Line]>([
    ['reported', { event: found, reported: `${number}7` }],
    ['listed', { event: unknown, listed: `${number}7` }],
  ])('is not taken for one that begins with it, which is known and %s', async (_, line) => {
    expect(await held(line, `${number}7`)).not.toMatchObject({ outcome: 'failed' });
  });
});
