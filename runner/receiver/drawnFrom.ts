import type { ReceiverCheck } from '../../suites/check.ts';

/** Which events a check's cases are drawn from: the accepted ones, or the effective ones for a check of effects. */
export function drawnFrom({ needs }: Pick<ReceiverCheck, 'needs'>): 'accepted' | 'effective' {
  return needs.includes('probe') ? 'effective' : 'accepted';
}
