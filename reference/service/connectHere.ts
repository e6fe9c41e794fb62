import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';

import { buildConnector } from 'undici';

/** A connection that would have left this machine. */
class NotHere extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/** 127.0.0.0/8 and ::1, written in either way. */
const here = /^(?:127\.[\d.]+|::1|::ffff:127\.[\d.]+|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/i;

/**
 * Makes connections to this machine, and to nowhere else: anybody who can register a webhook says where this service
 * sends. The address decides that the connection is made to, whatever its name is.
 *
 * @param ca - PEM of an authority that is trusted beside the usual ones
 */
export function connectHere(ca?: string): buildConnector.connector {
  const trust =
    ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
  const connect = buildConnector({ allowH2: false, lookup, ...trust });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) === 0 || here.test(host)) return connect(target, callback);
    queueMicrotask(() => callback(new NotHere(`${host} is not on this machine`), null));
  };
}

const lookup: LookupFunction = (name, options, callback) => {
  systemLookup(name, { ...options, all: true }, (error, addresses) => {
    const away = error === null ? addresses.find(({ address }) => !here.test(address)) : undefined;
    const trouble = away === undefined ? error : new NotHere(`${name} leads to ${away.address}`);
    const [first] = trouble === null ? addresses : [];
    if (trouble !== null || options.all === true || first === undefined)
      callback(trouble, trouble === null ? addresses : '');
    else callback(null, first.address, first.family);
  });
};
