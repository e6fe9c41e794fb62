import { describe, expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';

const { requirements, gaps } = loadContract();

/** Every family of ids: how many it has, whom it binds, and how many of each level (must, should, may). */
const families: Readonly<Record<string, string>> = {
  SVC: 'service 8: 7 0 1',
  WHK: 'service 13: 13 0 0',
  NTF: 'service 9: 9 0 0',
  TRQ: 'service 6: 5 1 0',
  STA: 'service 5: 3 2 0',
  ACT: 'service 3: 1 1 1',
  API: 'service 2: 2 0 0',
  CRW: 'service 7: 5 2 0',
  TRG: 'service 6: 5 1 0',
  LST: 'service 5: 5 0 0',
  IPS: 'service 2: 2 0 0',
  INF: 'service 1: 1 0 0',
  DLV: 'service 7: 6 1 0',
  SIG: 'service 2: 2 0 0',
  VER: 'service 1: 0 0 1',
  RCV: 'receiver 7: 2 5 0',
  IDM: 'receiver 5: 5 0 0',
  VRF: 'receiver 6: 3 3 0',
  SRC: 'receiver 1: 0 0 1',
  RTY: 'receiver 1: 1 0 0',
  RCO: 'receiver 1: 0 1 0',
};

describe('the requirement catalogue', () => {
  it('has every id, with its subject and level', () => {
    const known = requirements.filter(({ id }) => !id.startsWith('ROB-'));
    const byFamily = Object.groupBy(known, ({ id }) => id.slice(0, 3));
    const counted = Object.entries(byFamily).map(([family, rows = []]) => {
      const levels = ['must', 'should', 'may'].map((level) => rows.filter((row) => row.level === level).length);
      const subjects = [...new Set(rows.map(({ subject }) => subject))].join('+');
      return [family, `${subjects} ${rows.length}: ${levels.join(' ')}`];
    });
    expect(Object.fromEntries(counted), 'a new requirement is counted in this test, too').toEqual(families);
    expect(requirements.length).toBe(100);
  });

  it('numbers each family without a hole', () => {
    for (const family of Object.keys(families)) {
      const numbers = requirements.filter(({ id }) => id.startsWith(`${family}-`)).map(({ id }) => Number(id.slice(4)));
      expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    }
  });

  it('splits robustness between the two subjects', () => {
    const rows = requirements.filter(({ id }) => id.startsWith('ROB-'));
    expect(rows.map(({ id, subject, level }) => [id, subject, level])).toEqual([
      ['ROB-2', 'service', 'should'],
      ['ROB-1', 'receiver', 'should'],
    ]);
  });

  it('has the 24 gaps', () => {
    expect(gaps.map(({ id }) => id)).toEqual(Array.from({ length: 24 }, (_, index) => `GAP-${index + 1}`));
  });

  it('says each in one sentence', () => {
    for (const { id, statement } of [...requirements, ...gaps]) {
      expect(`${id}: ${statement}`).toMatch(/: [A-Z].*\.$/);
      expect(`${id}: ${statement}`).not.toMatch(/[a-z]\. [A-Z]/);
      expect(`${id}: ${statement}`.length).toBeLessThan(180);
    }
  });

  it('says why each is required: with the reason of the general requirement with its id, or its own', () => {
    expect(loadContract().requirement('VRF-2').reason).toMatch(/^Anybody can send to the endpoint\./);
    expect(loadContract().requirements.filter(({ reason }) => reason === undefined)).toEqual([]);
  });

  it('cites sections that exist', () => {
    for (const { id, section } of [...requirements, ...gaps]) {
      expect(`${id}: ${section}`).toMatch(/: [1-9](\.[1-5])?(, [1-9](\.[1-5])?)*$/);
    }
  });
});
