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
