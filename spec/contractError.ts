/** Every way in which a contract is refused at load. A code never changes its meaning and is never used again. */
export const contractErrorCodes = {
  'contract/unreadable': 'a text of the contract is not YAML, or not the mapping that is expected',
  'contract/openapi-version': 'the document is not OpenAPI 3.1, or has no title or version',
  'contract/form': 'contract.yaml is not in the form that contract.schema.json describes',
  'contract/delivery': 'contract.yaml does not fit the document beside it',
  'contract/service': 'the service of contract.yaml is incomplete',
  'contract/signature': 'the signature names no digest, or a template or an encoding that does not exist',
  'contract/unresolvable-reference': 'a $ref points at nothing, or out of the document',
  'contract/recursive-reference': 'a $ref leads back to itself and cannot be written out inline',
  'contract/unknown-keyword': 'a schema uses a keyword that is neither JSON Schema 2020-12 nor declared',
  'contract/schema': 'a schema does not compile',
  'contract/operation': 'an operation lacks what is needed to call it',
  'contract/event-without-schema': 'a catalogue event has no webhooks entry, or its entry has no schema',
  'contract/event-unknown': 'a webhooks entry names no event, or one that the catalogue does not list',
  'contract/event-duplicate': 'two webhooks entries describe one event',
  'contract/event': 'a webhooks entry lacks its group, its responses or its method',
  'contract/included': 'x-included does not say which resources accompany an event',
  'contract/requirement': 'a requirement lacks its section, subject, level or statement, or has an unknown one',
  'contract/requirement-duplicate': 'two requirements or gaps have one id',
  'contract/assumption': 'an assumption is incomplete, or its default is not one of its own valid values',
  'contract/assumption-duplicate': 'two assumptions have one key',
  'contract/assumption-gap': 'an assumption fills a gap that is not listed',
  'contract/gap-unknown': 'an x-gap mark names a gap that is not listed',
  'contract/unknown-name': 'a schema, requirement or assumption was asked for that the contract does not have',
} as const;

export type ContractErrorCode = keyof typeof contractErrorCodes;

/** The contract cannot be used as it stands. Nothing about the target: what to fix is in the contract's own files. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ContractErrorCode;

  /**
   * @param code - what is wrong, stable
   * @param message - what was received, what is valid, and what to do
   */
  constructor(code: ContractErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * What became of something in a document of somebody else that cannot be taken as it stands.
 *
 * - `ignored`: it says nothing about what is valid
 * - `translated`: it says in another way what it meant
 * - `loosened`: it was left out, so that values may be taken for valid that were not meant
 * - `narrowed`: values with it are not generated; all that are generated were meant
 * - `left-out`: the whole event is not known
 * - `unsent`: deliveries do not have it
 */
export type WarningEffect = 'ignored' | 'translated' | 'loosened' | 'narrowed' | 'left-out' | 'unsent';

/** Something in a document that was not taken as it stands. */
export interface DocumentWarning {
  /** Where it stands in the document: a JSON Pointer as a fragment, `#/components/schemas/Order/properties/id/format`. */
  readonly pointer: string;
  /** The keyword (of a schema) or the member (of an operation) that it is about. */
  readonly keyword: string;
  readonly effect: WarningEffect;
  /** What stands there, and what was done about it: sentences. */
  readonly message: string;
}

/** Takes each warning as it is found: some when the document is opened, most when an event is first asked for. */
export type Warn = (warning: DocumentWarning) => void;

/** Passes warnings on, each once: those with the same `topic`, or with the same words about one place, are one. */
export function warnOnce(warn: Warn): (warning: DocumentWarning, topic?: string) => void {
  const said = new Set<string>();
  return (warning, topic = `${warning.pointer} ${warning.message}`) => {
    if (said.has(topic)) return;
    said.add(topic);
    warn(warning);
  };
}
