import { isIP } from 'node:net';

import { bareHost, isLocalAddress } from '../http/access.ts';
import { UsageError } from '../errors.ts';
import { maskedAddress } from '../http/openAddress.ts';
import { type CountEffects, ProbeError } from './probe.ts';
import { createProbe } from './createProbe.ts';

/**
 * The address of a target, checked before anything is sent to it.
 *
 * @throws UsageError where it is no http or https URL, or remote without leave
 */
export async function targetUrl(text: string, allowRemote: boolean): Promise<URL> {
  const url = parse(text);
  if (!allowRemote) await requireLocal(url);
  return url;
}

/**
 * The same probe, checked before it is asked anything.
 *
 * @throws UsageError where it is a URL without `{id}`, or remote without leave
 */
export async function checkedProbe<Probe extends string | CountEffects>(
  probe: Probe,
  target: URL,
  allowRemote: boolean,
): Promise<Probe> {
  if (typeof probe === 'function') return probe;
  try {
    await createProbe(probe, {}, target).close();
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    const { received, valid, next } = cause.explanation;
    throw new UsageError('SW_PROBE_INVALID', { received: `--probe: ${received}`, valid, next }, { cause });
  }
  const url = /^https?:/i.test(probe) ? URL.parse(probe.replaceAll('{id}', 'id')) : null;
  if (url !== null && !allowRemote) await requireLocal(url);
  return probe;
}

async function requireLocal(url: URL): Promise<void> {
  if (await isLocalAddress(url.hostname)) return;
  const isName = isIP(bareHost(url.hostname)) === 0;
  const unknown = isName ? ', or its name is not known here' : '';
  throw new UsageError('SW_TARGET_REMOTE', {
    received: `${url.host} is neither a loopback nor a private address${unknown}; the kit sends it nothing unless you allow it`,
    valid: 'a target on this machine or in a private network',
    next: `${isName ? 'correct the name, ' : ''}test a copy nearby, or add --allow-remote if the target is yours`,
  });
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  const shown = maskedAddress(text);
  const guess = text.includes('://') ? undefined : guessed(text);
  throw new UsageError('SW_URL_INVALID', {
    received: `"${shown}" is not the address of a target`,
    valid: 'an absolute URL, which begins with http:// or https://, with a port of at most 65535',
    next: guess === undefined ? 'write it like http://localhost:3000/hooks' : `did you mean ${maskedAddress(guess)}?`,
  });
}

/** The URL that was meant, where the text has a port, or a server and what only the address of one has beside it. */
function guessed(text: string): string | undefined {
  const [, port, path = ''] = /^:?(\d{2,5})(\/.*)?$/.exec(text) ?? [];
  if (port !== undefined) return `http://localhost:${port}${path}`;
  // http:///hooks would be read as the host "hooks", and a file of a program has a name like one.
  const url = /^[./]|\.[cm]?[jt]s$/.test(text) ? null : URL.parse(`http://${text}`);
  return url !== null && (url.hostname === 'localhost' || /[:.]/.test(url.host)) ? `http://${text}` : undefined;
}
