import type { Draw } from '../../draw.ts';
import { claimHeaders, senderHeaders, standard } from '../senderClaim.ts';
import { pathSpellings, type Setting } from './setting.ts';

/** Settings to try a forged delivery in. */
export interface SettingGroups {
  /** Each setting of a group has a delivery of its own. */
  readonly apart: readonly (readonly Setting[])[];
  /**
   * Kinds of groups. All settings of a group are tried in one delivery: none of them keeps another from being seen. The
   * groups of a kind take turns.
   */
  readonly together: readonly (readonly (readonly Setting[])[])[];
}

/** Every setting that is tried, in groups of a kind. */
export function settingGroups(draw: Draw): SettingGroups {
  const { contract, mediaTypes, events, published } = draw;
  return {
    apart: [
      [...new Set([...mediaTypes, ...otherMediaTypes(contract.delivery.mediaType)])].map((type) => ({
        kind: 'media type',
        type,
      })),
      events.map(({ name }) => ({ kind: 'event', event: name })),
      [...hosts.map((host) => header('Host', host)), ...origins.map((origin) => header('Origin', origin))],
      [{ kind: 'HTTP/1.0' }, { kind: 'chunked' }],
      senders.map((address) => ({ kind: 'sender', address })),
      methods.map((method) => ({ kind: 'method', method })),
      pathSpellings.map((path) => ({ kind: 'path', path })),
    ],
    together: [
      claimed.map(claimedAddress),
      ...published.slice(0, 1).map((address) => [claimedAddress(address)]),
      [headersOf('1', '0', 'test'), headersOf('true', 'false', 'development')],
      [queryOf('1', '0', 'test'), queryOf('true', 'false', 'development')],
    ],
  };
}

function otherMediaTypes(usual: string): readonly (string | null)[] {
  return [
    null,
    '',
    usual.toUpperCase(),
    'application/problem+json',
    'text/json',
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'json',
    '*/*',
  ];
}

const methods = ['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD', 'OPTIONS'] as const;

const hosts = ['localhost', '127.0.0.1', 'internal', 'receiver.local', 'staging.example.com'] as const;
const origins = ['null', 'http://localhost', 'https://example.com'] as const;

/** Where the kit sends from, and another address of the same machine. */
const senders = ['127.0.0.1', '127.0.0.2'] as const;

/** Addresses that networks of one's own have: loopback, a private network, a container's host. */
const claimed = ['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1', '172.17.0.1'] as const;

function claimedAddress(address: string): readonly Setting[] {
  const headers = [...senderHeaders, standard];
  return claimHeaders({ headers, spelling: 'alone' }, address, '').map(([name, value]) => header(name, value));
}

/** Names under which a way around the verification is left open, for development, a proxy or an administrator. */
const switchedOn = [
  'debug',
  'test',
  'dev',
  'development',
  'local',
  'internal',
  'internal request',
  'admin',
  'trusted',
  'verified',
  'authenticated',
  'bypass',
  'insecure',
  'skip',
  'skip auth',
  'skip signature',
  'skip verification',
  'skip verify',
  'no auth',
  'no verify',
  'force',
  'replay',
  'retry',
  'redelivery',
] as const;
const switchedOff = ['verify', 'verify signature', 'check signature', 'strict', 'secure'] as const;
const environments = ['env', 'environment', 'mode', 'stage'] as const;

/** What those who were let in before send, a browser or a tool first of all. */
const credentials = [
  header('Authorization', 'Bearer forged'),
  header('Cookie', 'session=forged; admin=1'),
  header('X-Api-Key', 'forged'),
  header('X-Requested-With', 'XMLHttpRequest'),
  header('Referer', 'http://localhost/'),
  header('X-Forwarded-Proto', 'https'),
  header('User-Agent', 'curl/8.5.0 PostmanRuntime/7.43.0 insomnia/10.3.0 HTTPie/3.2.4 test'),
];

function headersOf(on: string, off: string, environment: string): readonly Setting[] {
  const switches = named(on, off, environment).map(([name, value]) =>
    header(`X-${name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase()).replaceAll(' ', '-')}`, value),
  );
  return [...switches, ...credentials];
}

function queryOf(on: string, off: string, environment: string): readonly Setting[] {
  return named(on, off, environment)
    .flatMap(([name, value]) => spelt(name).map((parameter) => `${parameter}=${value}`))
    .map((query) => ({ kind: 'query', query }));
}

/** A name of several words as parameters are written: `skip_auth`, `skipAuth`, `skip-auth`, `skipauth`. */
function spelt(name: string): readonly string[] {
  const camelCase = name.replaceAll(/ [a-z]/g, (first) => first.slice(1).toUpperCase());
  return [...new Set([name.replaceAll(' ', '_'), camelCase, name.replaceAll(' ', '-'), name.replaceAll(' ', '')])];
}

function named(on: string, off: string, environment: string): readonly (readonly [name: string, value: string])[] {
  return [
    ...switchedOn.map((name) => [name, on] as const),
    ...switchedOff.map((name) => [name, off] as const),
    ...environments.map((name) => [name, environment] as const),
  ];
}

function header(name: string, value: string): Setting {
  return { kind: 'header', name, value };
}
