import { isLocalAddress } from '../http/access.ts';
import { UsageError } from '../errors.ts';
import { maskedAddress } from '../http/openAddress.ts';
import type { CountEffects } from './functionProbe.ts';
import { ProbeError } from './probe.ts';
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
    const next = 'write {id} where the id of the notification belongs, or give a shell command';
    throw new UsageError('SW_PROBE_INVALID', { received: `--probe: ${cause.message}`, next }, { cause });
  }
  const url = /^https?:/i.test(probe) ? URL.parse(probe.replaceAll('{id}', 'id')) : null;
  if (url !== null && !allowRemote) await requireLocal(url);
  return probe;
}

async function requireLocal(url: URL): Promise<void> {
  if (await isLocalAddress(url.hostname)) return;
  throw new UsageError('SW_TARGET_REMOTE', {
    received: `${url.host} is neither a loopback nor a private address, or its name is not known here; the kit sends it nothing unless you allow it`,
    valid: 'a target on this machine or in a private network',
    next: 'test a copy nearby, or add --allow-remote if the target is yours',
  });
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  // A path alone has no host: http:///hooks would be read as the host "hooks".
  const guess = text.startsWith('/') ? null : URL.parse(`http://${text}`);
  const shown = maskedAddress(text);
  throw new UsageError('SW_URL_INVALID', {
    received: `"${shown}" is not the address of a target`,
    valid: 'an absolute URL, which begins with http:// or https://',
    next: guess === null || text.includes('://') ? 'correct the URL' : `did you mean http://${shown}?`,
  });
}
