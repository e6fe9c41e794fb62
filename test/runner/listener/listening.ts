import { afterEach } from 'vitest';

import type { CaughtRecord } from '../../../runner/listener/deliveryStore.ts';
import { checksUnder, createCaughtKit } from '../../../runner/listener/judge.ts';
import { Listener, type ListenerMoment, type ListenerOptions } from '../../../runner/listener/listener.ts';
import { openContract } from '../../../runner/options/openContract.ts';
import { resolveAssumptions } from '../../../spec/assumptions.ts';
import { sampleDeliveries } from '../../../runner/cli/contract/sampleDeliveries.ts';
import type { Contract } from '../../../spec/contract.ts';
import { post, type Seen } from '../catchers.ts';

export const secret = 'known-to-both-sides';

/** A listener of a test. */
export interface TestListener {
  readonly listener: Listener;
  readonly contract: Contract;
  /** Sends a delivery that is as the contract describes it, but for what is changed in it. */
  readonly send: (change?: Partial<Sent>) => Promise<Seen>;
  /** A delivery that is as the contract describes it. */
  readonly sample: (seed?: number) => Sent;
  /** Resolves with the delivery of this number once that has happened to it. */
  readonly until: (moment: ListenerMoment, number?: number) => Promise<CaughtRecord>;
}

interface Sent {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly method: string;
}

/** Listeners that are closed after each test. */
export function useListeners() {
  const listeners: Listener[] = [];
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  });
  return async (
    name = 'tracking',
    { assume = {}, ...options }: Partial<ListenerOptions> & { readonly assume?: Readonly<Record<string, string>> } = {},
  ): Promise<TestListener> => {
    const contract = openContract({ contract: name });
    const assumptions = resolveAssumptions(contract.assumptions, assume);
    const kit = createCaughtKit({ contract, assumptions, secrets: [secret] });
    const listener = new Listener({ kit, checks: checksUnder(kit), port: 0, ...options });
    listeners.push(listener);
    const seen = new Set<string>();
    const waiting = new Set<() => void>();
    listener.on((moment, { number }) => {
      seen.add(`${moment} ${number}`);
      for (const look of waiting) look();
    });
    await listener.listen();
    const now = Date.now();
    const sample = (seed = 1): Sent => {
      const [delivery] = sampleDeliveries(contract, contract.events[0], { count: 1, seed, secret, now });
      return delivery!;
    };
    return {
      listener,
      contract,
      sample,
      send: (change = {}) => {
        const { headers, body, method } = { ...sample(), ...change };
        return post(`${listener.url}hooks`, body, { method, headers: headers.flat() });
      },
      until: (moment, number = 1) =>
        new Promise((resolve) => {
          const look = (): void => {
            if (!seen.has(`${moment} ${number}`)) return;
            waiting.delete(look);
            resolve(listener.store.get(number)!);
          };
          waiting.add(look);
          look();
        }),
    };
  };
}
