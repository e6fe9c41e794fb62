import { carriers } from './carriers.ts';
import type { TrackingOrder } from './policies.ts';
import type { LookUp, Problem } from './records.ts';

const attributes = '/data/attributes';

/** Values of request_type that are known (GAP-2). */
const requestTypes = ['bill_of_lading', 'booking_number', 'container'];

/** What speaks against tracking a number (section 2.3), before the carrier is asked. */
export function trackingProblems({ type, number, scac }: TrackingOrder): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (rule: string, name: string, detail: string) =>
    problems.push({ status: 422, rule, pointer: `${attributes}/${name}`, detail });
  if (!requestTypes.includes(type)) {
    add('request-type', 'request_type', `The request_type is unknown. Valid are ${requestTypes.join(', ')}.`);
  }
  if (!/^[A-Z0-9]{8,14}$/.test(number)) {
    add(
      'request-number',
      'request_number',
      'The request_number is none of a shipping line: 8 to 14 capital letters and digits. References of a forwarder are not known to the line.',
    );
  }
  if (!Object.hasOwn(carriers, scac)) {
    add(
      'carrier',
      'scac',
      `The scac is no shipping line's that this service knows. Valid are ${Object.keys(carriers).join(', ')}.`,
    );
  }
  return problems;
}

/**
 * What the simulated carrier says: it does not know numbers that end in 404, it has no manifest yet for those that end
 * in 202, and it finds every other.
 */
export function lookUp({ number }: TrackingOrder): LookUp {
  if (number.endsWith('404')) return 'unknown';
  return number.endsWith('202') ? 'awaiting-manifest' : 'found';
}
