import { setFlagsFromString } from 'node:v8';

/**
 * Collects old objects as soon as the heap is twice as large as what is in use. V8 lets it grow to four times that, so that a long
 * run would take hundreds of megabytes more than it needs. It costs a long run a tenth of its time, and a short one nothing.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
