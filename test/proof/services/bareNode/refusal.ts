/** A call that is not carried out; its message is the answer's body. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws Refusal with status 422 */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Refusal(422, message);
}
