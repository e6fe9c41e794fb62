import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven } from '../../check.ts';
import { finding } from '../../finding.ts';
import type { TrackedNumber } from '../../service/trackingBody.ts';

/** Section 4.3: the carrier's SCAC is inferred from a number. */
export const inferred = serviceCheck<TrackedNumber>({
  id: 'service/inference/carrier',
  title: "infers the carrier's SCAC from a tracking number",
  requirements: ['INF-1'],
  about: ['tracking', 'operation:infer'],
  needs: ['trackable'],
  weight: 0.05,
  cases: ({ trackable }) => trackable.slice(0, 5).map((tracked) => fc.constant(tracked)),
  run: async (kit, { number, issuer: scac }) => {
    const call = await kit.call('infer', { body: { [kit.assumption('inferNumber.member')]: number } });
    const { method, path } = call.request;
    if (kit.missing(call)) {
      throw new Unobservable(
        `the service does not offer ${method} ${path}; --assume 'inferNumber=POST <path>' says where it infers the carrier`,
      );
    }
    if (kit.refused(call)) {
      throw new Unobservable(
        `the service refused ${method} ${path} (${describeAnswer(call.answer)}); --assume inferNumber.member=<name> names the member that holds the number`,
      );
    }
    const json = kit.json(call);
    if (kit.succeeded(call) && json !== undefined && holds(json, scac)) return undefined;
    if (!/^[A-Z]/i.test(number)) throw new Unproven(`the number ${number} has no letters that would identify its line`);
    return finding('INF-1', {
      expected: `JSON that holds the SCAC ${scac} for the number ${number}`,
      actual:
        json === undefined
          ? `${describeAnswer(call.answer)}, without JSON`
          : `${describeAnswer(call.answer)}, without that SCAC`,
      exchanges: [call],
    });
  },
  hint: 'Infer the line from the beginning of the number, and answer with its SCAC.',
});

function holds(value: Json, text: string): boolean {
  if (typeof value === 'string') return value === text;
  return typeof value === 'object' && value !== null && Object.values(value).some((each: Json) => holds(each, text));
}
