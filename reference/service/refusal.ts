import type { Problem } from './records.ts';

/** A call that is refused, and why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map(({ detail }) => detail).join(' '), options);
    this.problems = problems;
  }
}

/** A refusal for one reason that lies in no part of the body. */
export function refusal(status: number, rule: string, detail: string, options?: ErrorOptions): Refusal {
  return new Refusal([{ status, rule, pointer: '', detail }], options);
}
