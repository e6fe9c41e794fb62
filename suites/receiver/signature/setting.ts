import { sizeText } from '../../../spec/units.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { onWire, overOwnConnection, whole } from '../onWire.ts';

/** One thing in which a delivery differs from a plain one beside its body and its signature, as data. */
export type Setting =
  | { readonly kind: 'media type'; readonly type: string | null }
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'query'; readonly query: string }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'HTTP/1.0' }
  /** Bytes of the body, with white space at its end. */
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'sender'; readonly address: string }
  | { readonly kind: 'method'; readonly method: string }
  /** What the method is to be taken for, in headers that frameworks know. */
  | { readonly kind: 'method override'; readonly method: string }
  | { readonly kind: 'path'; readonly path: (typeof pathSpellings)[number] };

/** Ways to write a path so that some routers still find the same route. */
export const pathSpellings = [
  'with a slash at its end',
  'with two slashes at its beginning',
  'in capital letters',
  'with its last character percent-encoded',
] as const;

const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'] as const;

/** The delivery in this setting. Its body and its signature stay as they are. */
export function inSetting(kit: ReceiverKit, delivery: Delivery, setting: Setting): Delivery {
  switch (setting.kind) {
    case 'event':
      return delivery;
    case 'media type':
      return withHeader(delivery, 'Content-Type', setting.type);
    case 'header':
      return withHeader(delivery, setting.name, setting.value);
    case 'query':
      return { ...delivery, path: withQuery(delivery.path ?? kit.path, setting.query) };
    case 'chunked':
      return onWire(delivery, whole, { framing: 'chunked' });
    case 'size':
      return { ...delivery, body: filled(delivery.body, setting.bytes) };
    case 'HTTP/1.0':
      return onWire(delivery, whole, { requestLine: `${delivery.method} ${kit.path} HTTP/1.0` });
    case 'sender':
      return { ...delivery, from: setting.address };
    case 'method':
      return overOwnConnection({ ...delivery, method: setting.method });
    case 'method override':
      return overrides.reduce((sent, name) => withHeader(sent, name, setting.method), delivery);
    case 'path':
      return overOwnConnection({ ...delivery, path: respelt(kit.path, setting.path) });
  }
}

/**
 * Whether an accepting status says in this setting that the delivery was accepted. A receiver may answer other methods and
 * paths with a page: there only an effect says so.
 */
export function isAnsweredByReceiver({ kind }: Setting): boolean {
  return kind !== 'method' && kind !== 'method override' && kind !== 'path';
}

/** Names the settings in a few words, for a report. */
export function describeSettings(settings: readonly Setting[]): string {
  const [first, ...others] = settings.map(describe);
  return others.length > 2 ? `${first} and ${others.length} more of the kind` : [first, ...others].join(', ');
}

function describe(setting: Setting): string {
  switch (setting.kind) {
    case 'event':
      return `for ${setting.event}`;
    case 'media type':
      return setting.type === null ? 'without a Content-Type' : `with the Content-Type ${JSON.stringify(setting.type)}`;
    case 'header':
      return `with ${setting.name}: ${setting.value}`;
    case 'query':
      return `with ?${setting.query}`;
    case 'chunked':
      return 'with a chunked body';
    case 'HTTP/1.0':
      return 'as HTTP/1.0';
    case 'size':
      return `with white space behind its body, up to ${sizeText(setting.bytes)}`;
    case 'sender':
      return `from ${setting.address}`;
    case 'method':
      return `as ${setting.method}`;
    case 'method override':
      return `with ${overrides[0]}: ${setting.method}`;
    case 'path':
      return `to the path ${setting.path}`;
  }
}

/** How receivers come to accept a forgery in such a setting, and the fix. */
export const settingHints: Readonly<Record<Setting['kind'], string>> = {
  'media type':
    'Verify before you look at the Content-Type. A hook of a body parser runs only for the types that this parser takes, ' +
    'and a list of types that are verified lets in all others. Read the raw bytes whatever their type, or answer 415.',
  event: 'Verify before you look at the event. No event is harmless enough to be taken from anybody.',
  header:
    'Anybody can write any header. Do not skip the verification for a Host or an Origin, for an address in a forwarding ' +
    'header, for one that marks a redelivery, or for one that is meant for development; switch it off by a setting of a test environment alone, or not ' +
    'at all.',
  query:
    'Anybody can write any query. Take out the switch that skips the verification: a parameter for development is found ' +
    'sooner or later.',
  chunked:
    'Verify every body. A chunked one has no Content-Length, so a missing length does not say that nothing was sent.',
  'HTTP/1.0': 'Verify whatever the version of HTTP is. Proxies still speak HTTP/1.0 to the servers behind them.',
  size:
    'Verify bodies of any size. Where one is too large to be hashed in time, or is put aside before it is read, refuse it (413): ' +
    'a limit that skips the verification lets in anybody who writes enough.',
  sender:
    'Do not skip the verification for loopback or private addresses: behind a proxy every delivery comes from one, and the ' +
    'kit sends from 127.0.0.1 too.',
  method:
    'Verify in one place before all handlers of the path. A check that is bound to one method leaves the others open; ' +
    'answer 405 to methods that you do not serve.',
  'method override':
    'Verify in one place before all handlers of the path, and take out what lets a header say the method: the check was bound ' +
    'to one method, and the header named another.',
  path:
    'Bind the verification to the handler, not to a spelling of its path: the router may find the handler under more ' +
    'spellings than the check (a slash at the end, capital letters, percent-encoding).',
};

function withHeader(delivery: Delivery, name: string, value: string | null): Delivery {
  const others = delivery.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...delivery, headers: value === null ? others : [...others, [name, value]] };
}

/** Sizes around the limits and buffers of many servers. A receiver may refuse what is larger than it has to take. */
export const sizes: readonly number[] = [72, 160, 600, 1024, 2048].map((kibibytes) => kibibytes * 1024);

/** The body with white space behind it, so that it has this many bytes. */
export function filled(body: Buffer, bytes: number): Buffer {
  return Buffer.concat([body, Buffer.alloc(Math.max(0, bytes - body.length), ' ')]);
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function respelt(whole: string, spelling: (typeof pathSpellings)[number]): string {
  const [path = '', ...query] = whole.split(/(?=\?)/);
  switch (spelling) {
    case 'with a slash at its end':
      return [path, '/', ...query].join('');
    case 'with two slashes at its beginning':
      return `/${whole}`;
    case 'in capital letters':
      return [path.toUpperCase(), ...query].join('');
    case 'with its last character percent-encoded':
      return [path.slice(0, -1), encoded(path.slice(-1)), ...query].join('');
  }
}

/** A slash stays: encoded, it is no slash any more. */
function encoded(character: string): string {
  return character === '/' ? character : `%${character.charCodeAt(0).toString(16)}`;
}
