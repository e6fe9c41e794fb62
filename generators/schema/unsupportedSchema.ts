/** A schema holds something for which no values can be generated. Nothing is left out silently instead. */
export class UnsupportedSchema extends Error {
  override readonly name = 'UnsupportedSchema';
  /** Where in the schema, as a JSON Pointer. */
  readonly pointer: string;
  readonly keyword: string;
  /** What stands there, as a clause. */
  readonly received: string;

  /**
   * @param received - what stands there, as a clause: "the format is 'iri'"
   * @param advice - what is valid and what to do, as a sentence
   */
  constructor(pointer: string, keyword: string, received: string, advice: string, options?: ErrorOptions) {
    super(
      `No values can be generated for '${keyword}' at ${pointer === '' ? 'the root' : pointer}: ${received}. ${advice}`,
      options,
    );
    this.pointer = pointer;
    this.keyword = keyword;
    this.received = received;
  }
}
