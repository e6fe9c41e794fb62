import type { WarningEffect } from '../documentWarning.ts';

/** What the reader of a schema needs to know of the document that holds it. */
export interface ForeignReading {
  /** Says what was not taken as it stands. With a topic: only the first time. */
  readonly say: (pointer: string, keyword: string, effect: WarningEffect, message: string, topic?: string) => void;
  /** The reference that takes the place of one in the document; nothing where that leads nowhere. */
  readonly refer: (reference: string) => string | undefined;
  /** What a reference points at, as it stands. */
  readonly target: (reference: string) => unknown;
  /** Whether `nullable` is a keyword of the document's dialect: in OpenAPI 3.0. */
  readonly isOpenApi30: boolean;
}

/** A schema or another mapping of the document. */
export type Members = Readonly<Record<string, unknown>>;

/** A value as it is shown in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
