/** Something that a draft says, and why, where the document does not say so itself. */
export interface Guess<Value> {
  readonly value: Value;
  /** The reason of a guess; nothing where the document says it. */
  readonly why?: string;
}

/** How much of what should be the same everywhere has to be so. */
export const most = 0.8;
