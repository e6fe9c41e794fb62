import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { shellWord } from '../../../../reports/curl/shell.ts';
import { ContractError, type DocumentWarning } from '../../../../spec/contractError.ts';
import { isRecord, type Mapping } from '../../../../spec/jsonSchema.ts';
import { readDocument } from '../../../../spec/openapiDocument.ts';
import { below } from '../../../../spec/pointer.ts';
import { type WebhookBody, webhookBodies } from '../../../../spec/webhookBodies.ts';
import { UsageError } from '../../../errors.ts';
import { isAddress, saveFirst } from '../../../options/openContract.ts';
import { type GuessedService, guessService } from './guessService.ts';
import { readTextFile } from '../../../../spec/readTextFile.ts';
import { messageOf } from '../../../../spec/messageOf.ts';

/** An OpenAPI document, and the bodies of what it sends. */
export interface OpenedDocument {
  readonly root: Mapping;
  readonly bodies: readonly WebhookBody[];
  /** Why these are taken for events, where the document has no webhooks. */
  readonly why?: string;
  /** Why others that it seems to send are not among them, a sentence each. */
  readonly leftOut: readonly string[];
  /** The API by which webhooks are registered, where it describes one. */
  readonly service?: GuessedService;
}

/** Names of schemas that describe what is sent. */
const sent = /(event|webhook|notification)(payload|request|body|data|message)?$/i;

/** @throws UsageError where it is none, or describes nothing that is sent */
export function openedDocument(path: string, directory: string): OpenedDocument {
  const root = rootOf(path, resolve(directory, path));
  const service = guessService(root);
  const leftOut: string[] = [];
  const warn = ({ effect, message }: DocumentWarning): void => {
    if (effect === 'left-out') leftOut.push(message);
  };
  const known = { root, leftOut, ...(service && { service }) };
  const declared = webhookBodies(root, { warn });
  if (declared.length > 0) return { ...known, bodies: declared };
  const callbacks = webhookBodies({ ...root, webhooks: callbacksOf(root) }, { warn });
  if (callbacks.length > 0) return { ...known, bodies: callbacks, why: 'a callback of the document' };
  if (service !== undefined && service.events.length > 0)
    return { ...known, bodies: [], why: 'an event that a webhook can subscribe to' };
  const named = webhookBodies(root, { components: sent });
  if (named.length > 0) return { ...known, bodies: named, why: 'a schema that is named like an event' };
  const [first, ...others] = leftOut;
  if (first === undefined) throw refused(`${path} describes no webhooks`, sources);
  const more = others.length === 0 ? '' : ` So ${others.length === 1 ? 'is another' : `are ${others.length} others`}.`;
  throw refused(
    `${path} describes no webhooks that can be sent. ${first}${more}`,
    'webhooks or callbacks whose bodies are JSON, with a schema',
    jsonOnly,
  );
}

const sources =
  'a document with webhooks (OpenAPI 3.1) or x-webhooks, with callbacks, with an operation that subscribes to listed events, or with schemas named ...Event, ...Webhook or ...Notification';

function rootOf(path: string, file: string): Mapping {
  if (!existsSync(file)) {
    const next = isAddress(path) ? saveFirst : 'correct the path';
    throw refused(`there is no file ${path}`, 'the path of an OpenAPI document', next);
  }
  const root = read(path, file);
  const { openapi, contract, asyncapi } = root;
  const version = openapi ?? root['swagger'];
  if (typeof openapi === 'string' && openapi.startsWith('3.')) return root;
  const has = version === undefined ? 'names no version of OpenAPI' : `has the version ${JSON.stringify(version)}`;
  const valid = 'a document whose head says openapi: 3.1.1, or another version 3';
  if (asyncapi !== undefined) throw refused(`${path} is an AsyncAPI document`, valid, ownEvents);
  if (contract === undefined) throw refused(`${path} ${has}`, valid);
  throw refused(`${path} is a contract.yaml already`, valid, `seaworthy contract check ${shellWord(path)}`);
}

function read(path: string, file: string): Mapping {
  try {
    return readDocument(readTextFile(file), path);
  } catch (cause) {
    if (cause instanceof ContractError) throw refused(cause.message, 'an OpenAPI document, YAML or JSON');
    throw refused(`${path} cannot be read (${messageOf(cause)})`, 'the path of an OpenAPI document');
  }
}

/** The operations of all callbacks, as webhooks. Each refers to where it stands. */
function callbacksOf({ paths }: Mapping): Mapping {
  const found = entriesOf(paths, '#/paths').flatMap(([path, item, at]) =>
    entriesOf(item, at).flatMap(([method, operation, pointer]) =>
      entriesOf(isRecord(operation) ? operation['callbacks'] : {}, below(pointer, 'callbacks')).flatMap(
        ([name, callback, place]) =>
          entriesOf(callback, place).map(([, , target]) => [`${name} (${method} ${path})`, { $ref: target }] as const),
      ),
    ),
  );
  return Object.fromEntries(found);
}

function entriesOf(
  value: unknown,
  pointer: string,
): readonly (readonly [name: string, value: unknown, pointer: string])[] {
  return Object.entries(isRecord(value) ? value : {}).map(
    ([name, each]) => [name, each, below(pointer, name)] as const,
  );
}

const ownEvents =
  'write the contract yourself, as docs/contracts.md of the package shows it: the payloads of the messages are the schemas of its events';
const jsonOnly =
  'correct the document, or write the contract yourself if the deliveries are JSON: docs/contracts.md of the package shows one';
const another = 'give another document, or write the contract yourself: docs/contracts.md of the package shows one';

function refused(received: string, valid: string, next = another): UsageError {
  return new UsageError('SW_DOCUMENT_INVALID', {
    received,
    valid,
    next,
  });
}
