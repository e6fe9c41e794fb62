import type { Json } from '../../generators/json/json.ts';
import { withPointer } from '../../generators/json/jsonPointer.ts';
import type { Contract } from '../../spec/contract.ts';
import { authorizationWith, memberPlace } from '../../spec/serviceTerms.ts';
import { shellWord } from '../options/shellWord.ts';

/** What the command lines to try are made of. */
interface Tried {
  /** The base address of the API. */
  readonly url: string;
  readonly token: string;
  /** Where events are raised by hand. */
  readonly emit: string;
}

/** A command line to try, and what it does. */
export interface Trial {
  readonly does: string;
  readonly line: string;
}

/** Three command lines that show what the service is for: register a webhook, let something happen, see what was sent. */
export function sandboxTrials(contract: Contract, { url, token, emit }: Tried): readonly Trial[] {
  const creation = contract.operation('create');
  const list = contract.operation('notifications');
  const key = keyOf(contract, token);
  const [mediaType = 'application/json'] = Object.keys(creation.request);
  const event = contract.events[0]!.name;
  return [
    {
      does: 'Register a receiver. The answer holds the secret that signs what it gets.',
      line: curl(url + creation.path, key, [mediaType, webhookBody(contract)]),
    },
    {
      does: 'Raise an event: any event of the catalogue, on a made-up voyage.',
      line: curl(emit, [], ['application/json', { event }]),
    },
    {
      does: 'See what was sent, and how it went.',
      line: curl(url + list.path, key),
    },
  ];
}

/** A webhook for every event, at an address of this machine. */
export function webhookBody(contract: Contract, url = 'http://localhost:3000/hooks'): Json {
  if (contract.service === undefined) throw new TypeError('the contract says nothing of webhooks');
  const { wrapper, type, members } = contract.service.webhook;
  const holder = withPointer(
    type === undefined ? {} : { type },
    members.url.slice(0, members.url.lastIndexOf('/')),
    {},
  );
  return withPointer(
    {},
    wrapper,
    withPointer(withPointer(holder, members.url, url), memberPlace(contract.service, 'active'), true),
  );
}

/** The header that carries the key. */
export function keyOf({ service }: Contract, token: string): readonly [name: string, value: string] {
  if (service === undefined) throw new TypeError('the contract says nothing of keys');
  return [service.authorization.header, authorizationWith(service, token)];
}

type Body = readonly [mediaType: string, value: Json];

function curl(url: string, key: readonly string[], body?: Body): string {
  const authorization = key.length === 0 ? [] : ['-H', key.join(': ')];
  const data = body === undefined ? [] : ['-H', `Content-Type: ${body[0]}`, '-d', JSON.stringify(body[1])];
  return ['curl', url, ...authorization, ...data].map(shellWord).join(' ');
}
