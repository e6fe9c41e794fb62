/** Why no request came to a target, as far as what to do about it goes. */
export type Unreached =
  | 'refused'
  | 'unknown'
  | 'no-way'
  | 'forbidden'
  | 'untrusted'
  | 'outdated'
  | 'misnamed'
  | 'plain'
  | 'tls';

interface Reason {
  readonly kind: Unreached;
  readonly words: string;
}

const untrusted: Reason = { kind: 'untrusted', words: 'its certificate is not trusted' };
const misnamed: Reason = { kind: 'misnamed', words: 'its certificate is for another name' };
const plain: Reason = { kind: 'plain', words: 'what answers there does not speak TLS' };
const noWay: Reason = { kind: 'no-way', words: 'no way leads to its host' };

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { kind: 'refused', words: 'nothing takes connections there' },
  ENOTFOUND: { kind: 'unknown', words: 'the name of its host is not known' },
  EAI_AGAIN: { kind: 'unknown', words: 'the name of its host could not be looked up' },
  EHOSTUNREACH: noWay,
  ENETUNREACH: { kind: 'no-way', words: 'no way leads to its network' },
  ADDRESS_REFUSED: { kind: 'forbidden', words: 'the address is not one that may be connected to' },
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: { kind: 'outdated', words: 'its certificate has expired' },
  CERT_NOT_YET_VALID: { kind: 'outdated', words: 'its certificate is not valid yet' },
  ERR_TLS_CERT_ALTNAME_INVALID: misnamed,
  HOSTNAME_MISMATCH: misnamed,
  ERR_SSL_WRONG_VERSION_NUMBER: plain,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
};

function reasonOf(code: string): Reason | undefined {
  if (Object.hasOwn(reasons, code)) return reasons[code];
  return code.startsWith('ERR_SSL_') || code === 'EPROTO'
    ? { kind: 'tls', words: 'the TLS handshake failed' }
    : undefined;
}

/**
 * Why no connection came about, in words; nothing where there was one, and it broke.
 *
 * @example unreached('ECONNREFUSED') // 'nothing takes connections there'
 */
export function unreached(code: string): string | undefined {
  return reasonOf(code)?.words;
}

/** The same for deciding what to do about it. */
export function unreachedKind(code: string): Unreached | undefined {
  return reasonOf(code)?.kind;
}

const notRead: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'headers of more than 16 KiB, which are not read',
  NOT_HTTP: 'what is no HTTP/1.1',
  TRUNCATED: 'what breaks off before its end',
};

/**
 * What came on a connection in place of an answer that can be read, in words; nothing where nothing came.
 *
 * @example unreadable('NOT_HTTP') // 'what is no HTTP/1.1'
 */
export function unreadable(code: string): string | undefined {
  return Object.hasOwn(notRead, code) ? notRead[code] : undefined;
}

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
