import { setTimeout as delay } from 'node:timers/promises';

import type { Target } from '../target.ts';

/** A hand-written request or a few, and whether they show the fault. The conforming receiver must not show it. */
export type Demonstration = (target: Target) => Promise<boolean>;

export type Demonstrations = Readonly<Record<string, Demonstration>>;

/** Between one look and the next: to look without a pause would take the whole of a core. */
export async function pause(): Promise<void> {
  await delay(10);
}
