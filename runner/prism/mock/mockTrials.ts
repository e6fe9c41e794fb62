import type { Contract, Operation } from '../../../spec/contract.ts';
import { isJsonType } from '../mediaType.ts';
import type { PrismOperation } from '../prismOperation.ts';
import { shellWord } from '../../options/shellWord.ts';
import { validStatic } from './validAnswers.ts';

/** Where a mock listens, and what Prism has read. */
interface Mocked {
  readonly url: string;
  readonly receiver: string;
  readonly operations: readonly PrismOperation[];
  readonly webhooks: readonly PrismOperation[];
}

/** Command lines to try a mock with: a call without a body, one with a body, and a notification. */
export function mockTrials(contract: Contract, mocked: Mocked): readonly string[] {
  const plain = contract.operations.filter(({ path }) => !path.includes('{'));
  const reading = plain.find(({ request }) => Object.keys(request).length === 0);
  const writing = plain.find(({ request }) => Object.keys(request).some(isJsonType));
  const [event] = contract.events;
  return [
    ...(reading === undefined ? [] : [curl(mocked.url + reading.path, keyOf(contract, reading))]),
    ...(writing === undefined
      ? []
      : [curl(mocked.url + writing.path, keyOf(contract, writing), sample(writing, mocked))]),
    ...(event === undefined ? [] : [curl(mocked.receiver, [], notification(contract, event, mocked))]),
  ];
}

type Body = readonly [mediaType: string, value: unknown];

function sample({ operationId, request }: Operation, { operations }: Mocked): Body | undefined {
  const [mediaType, content] = Object.entries(request).find(([type]) => isJsonType(type)) ?? [];
  const operation = operations.find(({ iid }) => iid === operationId);
  if (mediaType === undefined || content === undefined || operation === undefined) return undefined;
  return [mediaType, made(operation, mediaType, content)];
}

function notification({ delivery }: Contract, event: Contract['events'][number], mocked: Mocked): Body | undefined {
  const operation = mocked.webhooks.find(({ iid }) => iid === event.operationId);
  return operation && [delivery.mediaType, made(operation, delivery.mediaType, event)];
}

function made(operation: PrismOperation, mediaType: string, content: Parameters<typeof validStatic>[2]): unknown {
  const offered = operation.request?.body?.contents?.find((each) => each.mediaType === mediaType);
  return validStatic(operation, offered ?? {}, content);
}

function keyOf({ service }: Contract, { secured }: Operation): readonly string[] {
  if (!secured || service === undefined) return [];
  const { header, scheme } = service.authorization;
  return ['-H', `${header}: ${scheme} any-key`];
}

function curl(url: string, key: readonly string[], body?: Body): string {
  const data = body === undefined ? [] : ['-H', `Content-Type: ${body[0]}`, '-d', JSON.stringify(body[1])];
  return ['curl', '-i', ...key, ...data, url].map(shellWord).join(' ');
}
