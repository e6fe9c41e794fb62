/** What of an answer says whether it can be judged. */
interface Judged {
  readonly kind: 'answered' | 'broken' | 'timed-out';
  readonly code?: string;
  readonly cut?: number;
  readonly deep?: true;
}

/**
 * Whether it is no answer that can be judged: the other side broke the connection, or it was not read to its end. One that
 * did not come in time is none of these, for it may come another time.
 */
export function isUnusable({ kind, code = '', cut, deep }: Judged): boolean {
  return kind === 'broken' ? !code.endsWith('_BY_KIT') : cut !== undefined || deep === true;
}
