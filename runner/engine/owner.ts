/** Which case of which check something is the doing of. */
export interface Owner {
  readonly check: string;
  readonly case: number;
}

/** What the engine does itself: before the cases of all checks, between them and after them. */
export const control: Owner = { check: 'control', case: 0 };
