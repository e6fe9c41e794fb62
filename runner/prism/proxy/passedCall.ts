/** Something that Prism says of a call that went through the proxy. */
export interface Remark {
  readonly part: 'request' | 'response';
  /** The place: `body/data/type`, `query/page`, `security`, `status`. */
  readonly where: string;
  readonly what: string;
  /** What is only worth knowing is not counted: a refusal in a form that the contract does not declare. */
  readonly counts: boolean;
}

/** A call that went through the proxy. */
export interface PassedCall {
  readonly method: string;
  /** Below the proxy's base address where it is there, else whole; query included. */
  readonly path: string;
  /** Empty where no operation of the contract is like it. */
  readonly operationId: string;
  /** The gaps of the contract that leave something of the operation open. */
  readonly gaps: readonly string[];
  /** The status that the client got. */
  readonly status: number;
  readonly remarks: readonly Remark[];
  /** Why the target gave no answer, where it gave none. */
  readonly failure?: string;
}
