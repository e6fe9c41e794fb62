import { afterEach, describe, expect, it } from 'vitest';

import type { ServiceCheck } from '../../../suites/check.ts';
import { HandService } from './handService.ts';
import { check, hold } from './testOwnService.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

/** Times that a check of the tests settles, at most, until two others have begun. */
const most = 3;

/** What is at work while each of these checks runs, in the order in which they begin. */
async function besideEach(isRaised: boolean): Promise<Readonly<Record<string, readonly string[]>>> {
  service = await HandService.start();
  const atWork = new Set<string>();
  const beside: Record<string, string[]> = {};
  const lasting = (name: string, rest: Partial<Pick<ServiceCheck, 'about' | 'needs' | 'schedule'>>) =>
    check(
      name,
      async (kit) => {
        beside[name] = [...atWork];
        atWork.add(name);
        for (let settled = 0; settled < most && atWork.size < 3; settled += 1) await kit.settle();
        atWork.delete(name);
        return undefined;
      },
      { needs: [], schedule: { kind: 'singly' }, ...rest },
    );
  const numbers = { about: ['tracking'] } as const;
  const unknown = { ...numbers, needs: ['untrackable'] } as const;
  const absence = { schedule: { kind: 'singly', waitsFor: 'absence' } } as const;
  const checks = [
    lasting('one', {}),
    lasting('number', numbers),
    lasting('other', {}),
    lasting('unknown', unknown),
    lasting('absence', absence),
  ];
  const { url, token, emit } = service;
  const trackable = [{ issuer: 'MAEU', number: '1' }];
  const untrackable = [{ issuer: 'MAEU', number: '2' }];
  await hold({ url, token, ...(isRaised && { emit }) }, checks, { trackable, untrackable });
  return beside;
}

describe('checks that run one case at a time', () => {
  it('are tried one by one, after absences, and beside both those about numbers where events are raised otherwise', async () => {
    const beside = await besideEach(true);
    expect(Object.keys(beside).slice(0, 2).toSorted()).toEqual(['absence', 'number']);
    expect([beside['absence'], beside['number']].flat()).toHaveLength(1);
    for (const [name, others] of Object.entries(beside)) {
      const isNumber = (each: string): boolean => ['number', 'unknown'].includes(each);
      expect(others.filter((each) => isNumber(each) === isNumber(name))).toEqual([]);
    }
  });

  it('are tried one by one, all of them, where numbers are what causes events', async () => {
    expect(await besideEach(false)).toEqual({ absence: [], one: [], number: [], other: [], unknown: [] });
  });
});
