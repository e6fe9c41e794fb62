import { validateHeaderName, validateHeaderValue } from 'node:http';

import type { CatchScript, CatchStep } from '../../suites/exchange.ts';

/** What a timer of Node can wait at most. */
const longest = 2 ** 31 - 1;

/**
 * Refuses a script that could not be played, before an attempt comes to it.
 *
 * @throws RangeError for a status or a number out of bounds, TypeError for a header that HTTP does not allow
 */
export function checkScript(script: CatchScript): void {
  if (script.length === 0) throw new RangeError('a script has no step; give it one at least');
  for (const step of script) checkStep(step);
}

function checkStep(step: CatchStep): void {
  if ('status' in step) checkNumber('status', step.status, 100, 999);
  if ('ms' in step && step.ms !== undefined) checkNumber('ms', step.ms, 0, longest);
  if (step.do === 'trickle') {
    checkNumber('every', step.every, 0, longest);
    checkNumber('bytes', step.bytes, 0, Number.MAX_SAFE_INTEGER);
  }
  if (step.do !== 'respond') return;
  checkNumber('delay', step.delay ?? 0, 0, longest);
  checkNumber('bodyBytes', step.bodyBytes ?? 0, 0, Number.MAX_SAFE_INTEGER);
  for (const [name, value] of step.headers ?? []) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
}

function checkNumber(what: string, value: number, least: number, most: number): void {
  if (Number.isFinite(value) && value >= least && value <= most) return;
  throw new RangeError(`the ${what} of a script's step is ${value}; give a number from ${least} to ${most}`);
}
