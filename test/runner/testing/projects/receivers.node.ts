import type * as NodeTest from '../../../../runner/testing/nodeTest.ts';
import { program } from '../../../programs.ts';
import { count, secret, shop } from './shop.ts';

const { describeReceiver } = (await import(program('node-test'))) as typeof NodeTest;
const given = { url: '/hooks', secret, intensity: 'quick', settle: 100, seed: 1, probe: count } as const;

describeReceiver('forgetful', {
  ...given,
  app: shop({ forgetful: true }),
  only: [
    'receiver/idempotency/takes-effect-once',
    'receiver/idempotency/concurrent-copies',
    'receiver/signature/refusal',
    'receiver/source/other-address',
  ],
  expectFailures: [{ id: 'receiver/idempotency/concurrent-copies', reason: 'the index comes next' }],
});

describeReceiver('absent', { ...given, url: 'http://127.0.0.1:9/hooks', only: 'receiver/signature/refusal' });
