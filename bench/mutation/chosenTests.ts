import { existsSync, readFileSync } from 'node:fs';

import type { Mutant } from '@stryker-mutator/instrumenter';

import { provenBy } from '../../test/proof/provenBy.ts';
import { provenByService } from '../../test/proof/provenByService.ts';
import { neighbours } from './mutants.ts';
import { reachFile, type Reach } from './reachFile.ts';

/** The tests that judge a mutant, at most so many of each sort: all that come by would take days. */
const quick = 20;
const most = { suites: { proofs: 6, slow: 3 }, engine: { proofs: 3, slow: 6 } };
/** Of a suite, slow tests take part where fewer others have something to do. */
const few = 6;
/** Milliseconds from which a test is slow, and from which it takes no part. */
const slow = 1000;
const tooSlow = 9000;

const proven = Object.entries({ ...provenBy, ...provenByService });
const rows = existsSync(reachFile) ? readFileSync(reachFile, 'utf8').trim().split('\n') : [];
const reaches: readonly Reach[] = rows.map((line) => JSON.parse(line));
const reachedBy = new Map<number, Reach[]>();
for (const reach of reaches.filter(({ name }) => name !== ''))
  for (const id of reach.mutants) reachedBy.set(id, [...(reachedBy.get(id) ?? []), reach]);
const whenLoaded = new Set(reaches.filter(({ name }) => name === '').flatMap(({ mutants }) => mutants));

/** Which tests judge a mutant, and the checks that these prove. */
export interface Chosen {
  readonly tests: readonly Reach[];
  readonly proofs: readonly Reach[];
  readonly checks: readonly string[];
}

/** The quickest tests that come by a mutant, and the proofs of faults that do, first of the checks in its own folder. */
export function chosenTests(mutant: Mutant, all: readonly Mutant[], drawn: <T>(list: readonly T[]) => T[]): Chosen {
  const reached = comingBy(mutant, all);
  const isOfSuite = mutant.fileName.startsWith('suites/');
  const limits = isOfSuite ? most.suites : most.engine;
  const topic = mutant.fileName.replace(/^suites\//, '').replace(/[^/]*$/, '');
  const isNear = (proof: Reach): boolean => checksOf(proof).some((id) => id.startsWith(topic));
  const proofs = drawn(reached.filter(({ name }) => /^faults of a (receiver|service) .*\d \S+$/.test(name)))
    .toSorted((one, other) => Number(isNear(other)) - Number(isNear(one)))
    .slice(0, limits.proofs);
  const others = reached
    .filter(({ name, ms }) => !name.startsWith('faults of a ') && ms < tooSlow)
    .toSorted((one, other) => one.ms - other.ms);
  const soon = others.filter(({ ms }) => ms < slow).slice(0, quick);
  const late = others.filter(({ ms }) => ms >= slow).slice(0, limits.slow);
  const isEnough = isOfSuite && proofs.length + soon.filter(({ ms }) => ms > 1).length >= few;
  return { tests: isEnough ? soon : [...soon, ...late], proofs, checks: proofs.flatMap(checksOf) };
}

/** The checks that a fault proves, which is the last word of its test. */
function checksOf({ name }: Reach): readonly string[] {
  return proven.filter(([, fault]) => name.endsWith(` ${fault}`)).map(([check]) => check);
}

/** What only runs when its file is loaded is judged by the tests that come by the nearest place of it. */
function comingBy(mutant: Mutant, all: readonly Mutant[]): readonly Reach[] {
  const own = reachedBy.get(Number(mutant.id));
  if (own) return own;
  if (!whenLoaded.has(Number(mutant.id)) && !(mutant.fileName in neighbours)) return [];
  const file = neighbours[mutant.fileName] ?? mutant.fileName;
  const away = ({ location }: Mutant): number => Math.abs(location.start.line - mutant.location.start.line);
  const [nearest] = all
    .filter(({ fileName, id }) => fileName === file && reachedBy.has(Number(id)))
    .toSorted((one, other) => away(one) - away(other));
  return nearest ? reachedBy.get(Number(nearest.id))! : [];
}
