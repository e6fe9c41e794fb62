import fc from 'fast-check';

import { receiverStep } from '../stepKind.ts';

/** Nothing is sent for so many milliseconds. */
interface Wait {
  readonly do: 'wait';
  readonly ms: number;
}

export const wait = receiverStep<Wait>({
  kind: 'wait',
  weight: 1,
  steps: () =>
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 150 }) }, { noNullPrototype: true }),
  possible: () => true,
  play: ({ ms }, kit) => kit.pause(ms),
  describe: ({ ms }) => `wait ${ms} ms`,
});
