import type { Target } from '../target.ts';

/** A hand-written request or a few, and whether they show the fault. The conforming receiver must not show it. */
export type Demonstration = (target: Target) => Promise<boolean>;

export type Demonstrations = Readonly<Record<string, Demonstration>>;
