/** How binding a requirement is (RFC 2119). */
export type Level = 'must' | 'should' | 'may';

/** Who a requirement binds: the service that sends, or the receiver that consumes. */
export type Subject = 'service' | 'receiver';

/** One thing that the contract asks for. Its id stays, and stays with it, for good. */
export interface Requirement {
  readonly id: string;
  /** The contract's sections, as a reader would cite them: `4.4, 6`. */
  readonly section: string;
  readonly subject: Subject;
  readonly level: Level;
  /** One sentence, for a reader who does not know the contract. */
  readonly statement: string;
  /** Why it is required, where the list says so. */
  readonly reason?: string;
}

/** Something that the contract leaves open. Nothing may fail because of it. */
export interface Gap {
  readonly id: string;
  readonly section: string;
  readonly statement: string;
}
