import type { ZooTarget } from './zooTarget.ts';

export const secondReceivers: readonly ZooTarget[] = [];
export const secondServices: readonly ZooTarget[] = [];
export const secondSenders: readonly ZooTarget[] = [];
