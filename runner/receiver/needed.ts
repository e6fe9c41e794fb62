import type { Need } from '../../suites/check.ts';
import type { ReceiverPlan } from './plan.ts';

/** What a check said that it needs. @throws TypeError where it did not say so */
export function needed<T>(given: T | false | undefined, need: Need): T {
  if (given === undefined || given === false)
    throw new TypeError(`the check does not need ${need}: add it to its needs`);
  return given;
}

/** Whether the user gave what a check may need. */
const isGiven: Readonly<Record<Need, (plan: ReceiverPlan) => boolean>> = {
  secret: ({ secrets }) => secrets.length > 0,
  'process-control': ({ targetProcess }) => targetProcess !== undefined,
  published: ({ published }) => published.length > 0,
  api: ({ api }) => api !== undefined,
  'secret-variable': ({ secretVariable }) => secretVariable !== undefined,
  probe: ({ probe }) => probe !== undefined,
};

/** Why a check that needs something cannot be observed without it, and the option that gives it. */
const missing: Readonly<Record<Need, string>> = {
  secret: 'needs the secret that the receiver verifies with: give --secret (or SEAWORTHY_SECRET)',
  probe: 'needs to see effects: give --probe with a URL or a command that counts how often an id took effect',
  'process-control': 'needs to kill and restart the receiver: give --start with the command that starts it, or --image',
  published: 'needs to know which sender addresses the receiver lets in: give --published',
  'secret-variable':
    'needs to start the receiver without its secret: give --secret-env with the variable from which it takes the secret',
  api: 'needs the receiver to use the API that the kit plays: give --api-listen, and configure the receiver with that address',
};

/** Why a check with these needs cannot be observed: of several that the user did not give, the first. Nothing where all are given. */
export function whatIsMissing(needs: readonly Need[], plan: ReceiverPlan): string | undefined {
  const need = (Object.keys(isGiven) as readonly Need[]).find((one) => needs.includes(one) && !isGiven[one](plan));
  return need && missing[need];
}
