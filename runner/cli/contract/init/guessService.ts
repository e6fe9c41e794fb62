import { isRecord } from '../../../../spec/jsonSchema.ts';
import { type ApiOperation, apiOperations } from './apiOperations.ts';
import type { Guess, GuessedBlock } from './guessPlaces.ts';
import { entityTag } from '../../../../spec/operations.ts';
import { guessPaging, guessSample, guessStatuses, guessWebhook } from './guessResource.ts';

/** What a document says of the API by which webhooks are registered. */
export interface GuessedService {
  readonly block: GuessedBlock;
  /** The operations that seem to play a part and that the block leaves out, with the reason. */
  readonly leftOut: readonly Guess<string>[];
  /** Why the block cannot be used as it is; nothing where it can. */
  readonly missing?: string;
  /** The events that a webhook may subscribe to, where the document lists them. */
  readonly events: readonly string[];
}

/** The last part of the path of a collection of webhooks. */
const collection = /\/(web_?-?hooks?|hooks|web-?_?hook[-_]?(endpoints|subscriptions)|subscriptions|endpoints)\/?$/i;
const hookWords = /\b(web ?hooks?|hooks?|subscriptions?|endpoints?|callbacks?)\b/;

/** The API by which webhooks seem to be registered; nothing where no operation looks like it. */
export function guessService(document: Readonly<Record<string, unknown>>): GuessedService | undefined {
  const operations = apiOperations(document);
  const create = creationAmong(operations);
  if (create === undefined) return undefined;
  const others = besides(operations, create);
  const webhook = guessWebhook(create, others.find(([role]) => role === 'update')?.[1], parameterOf(others));
  const [sample, notifications] = [sampleAmong(operations, create), deliveriesAmong(operations)];
  const [samples, statuses] = [sample && guessSample(sample), notifications && guessStatuses(notifications)];
  const parts: readonly (readonly [role: string, operation: ApiOperation | undefined])[] = [
    ['create', create],
    ...others,
    ['sample', samples && sample],
    ['senders', operations.find((each) => isSenders(each))],
    ['notifications', statuses && notifications],
  ];
  const [[, list]] = others;
  const paging = list && guessPaging(list);
  const parameters = parametersFor(parts, Object.values(paging?.list ?? {}));
  const missing = [...webhook.missing, ...openIn(parameters)];
  return {
    block: {
      authorization: guessAuthorization(document, create),
      parameters,
      operations: Object.fromEntries(parts.flatMap(([role, operation]) => (operation ? [named(role, operation)] : []))),
      webhook: webhook.block,
      ...(statuses && { notification: statuses }),
      ...(samples && { sample: samples }),
      ...paging,
    },
    leftOut: [
      ...leftOut('sample', samples ? undefined : sample, 'its body names no URL and event'),
      ...leftOut('notifications', statuses ? undefined : notifications, unusual),
    ],
    ...(missing.length > 0 && { missing: missing.join(', ') }),
    events: webhook.events,
  };
}

const unusual = 'its items have no id, or no statuses with usual names';

const unknownValue = '...';

function openIn(parameters: Readonly<Record<string, Guess<string>>>): readonly string[] {
  const open = Object.entries(parameters).filter(([, { value }]) => value === unknownValue);
  return open.map(([name]) => `no value for ${name} in parameters`);
}

/** What calls hold in parameters: all that is required but the id of a webhook and what turns the pages of lists. */
function parametersFor(
  parts: readonly (readonly [role: string, operation: ApiOperation | undefined])[],
  paging: readonly GuessedBlock[string][],
): Readonly<Record<string, Guess<string>>> {
  const turning = paging.map(({ value }) => value);
  const needed = parts.flatMap(([role, operation]) => {
    const { parameters = [], path = '', method } = operation ?? {};
    const id = ['read', 'update', 'delete'].includes(role) ? idParameter(path) : undefined;
    const own = parameters.filter((each) => each.isSent && !turning.includes(each.name) && each.value !== entityTag);
    return own
      .filter(({ in: place, name }) => !(place === 'path' && name === id))
      .map(({ name, value = unknownValue }) => [name, { value, why: `${method} ${path} requires it` }] as const);
  });
  return Object.fromEntries(needed.toReversed());
}

/** The call that creates a webhook: of a usual path or name, with a URL in its body, below no other resource. */
function creationAmong(operations: readonly ApiOperation[]): ApiOperation | undefined {
  const possible = operations.filter(
    ({ method, path, words }) =>
      method === 'POST' && (collection.test(path) || isHookWord(words)) && !path.endsWith('}'),
  );
  const rank = (each: ApiOperation): number =>
    (collection.test(each.path) ? 2 : 0) +
    (/hook/i.test(each.path) ? 1 : 0) +
    (guessWebhook(each).missing.length === 0 ? 4 : 0) -
    (each.path.includes('{') ? 3 : 0);
  const ranked = possible.map((each) => ({ each, worth: rank(each) })).filter(({ worth }) => worth >= -1);
  const [best] = ranked.toSorted((a, b) => b.worth - a.worth || a.each.path.length - b.each.path.length);
  return best?.each;
}

function isHookWord(words: string): boolean {
  return hookWords.test(words) && /\b(create|add|register|new|subscribe)\b/.test(words);
}

/** What is done with the webhooks of the collection, and with one of them. */
function besides(operations: readonly ApiOperation[], { path }: ApiOperation) {
  const base = path.replace(/\/$/, '');
  const isItem = (each: ApiOperation): boolean =>
    each.path.startsWith(`${base}/{`) && /^\/\{[^/{}]+\}\/?$/.test(each.path.slice(base.length));
  const items = (method: string) => operations.find((each) => each.method === method && isItem(each));
  return [
    ['list', operations.find((each) => each.method === 'GET' && each.path.replace(/\/$/, '') === base)],
    ['read', items('GET')],
    ['update', items('PATCH') ?? items('PUT') ?? items('POST')],
    ['delete', items('DELETE')],
  ] as const;
}

/** The parameter of the paths that lead to one webhook. */
function parameterOf(others: ReturnType<typeof besides>): string | undefined {
  const path = others.find(([role, operation]) => role !== 'list' && operation !== undefined)?.[1]?.path ?? '';
  return idParameter(path);
}

function idParameter(path: string): string | undefined {
  return /\{([^/{}]+)\}\/?$/.exec(path)?.[1];
}

/** The call that sends a sample to a URL, else one that seems to send one. */
function sampleAmong(operations: readonly ApiOperation[], create: ApiOperation): ApiOperation | undefined {
  const possible = operations.filter(
    (each) =>
      each.method === 'POST' &&
      each !== create &&
      /\b(samples?|tests?|ping|trigger|example)\b/.test(each.words) &&
      (collection.test(each.path.replace(/\/(\{[^/]+\}\/)?[^/]+\/?$/, '')) || guessSample(each) !== undefined),
  );
  return possible.find((each) => guessSample(each) !== undefined) ?? possible[0];
}

function deliveriesAmong(operations: readonly ApiOperation[]): ApiOperation | undefined {
  const possible = operations.filter(
    ({ method, path }) =>
      method === 'GET' &&
      !path.includes('{') &&
      /\/(web_?-?hook[-_]?)?(deliveries|attempts|notifications|logs|messages)\/?$/i.test(path),
  );
  return possible.find((each) => guessStatuses(each) !== undefined) ?? possible.find(({ path }) => /hook/i.test(path));
}

function isSenders({ method, path }: ApiOperation): boolean {
  return method === 'GET' && /hooks?\/(ips?|ip[-_]addresses|sender[-_]addresses|senders)\/?$/i.test(path);
}

/** The scheme that the creation asks for, or the first of the document. */
function guessAuthorization(document: Readonly<Record<string, unknown>>, { security }: ApiOperation): GuessedBlock {
  const schemes = isRecord(document['components']) ? document['components']['securitySchemes'] : undefined;
  const all = isRecord(schemes) ? schemes : {};
  const names = (Array.isArray(security) ? security : []).flatMap((each) => (isRecord(each) ? Object.keys(each) : []));
  const found = [...names, ...Object.keys(all)].find(
    (name) => isRecord(all[name]) && carrierOf(all[name]) !== undefined,
  );
  const scheme = found === undefined ? undefined : all[found];
  const carried = isRecord(scheme) ? carrierOf(scheme) : undefined;
  const why = `the security scheme ${found} of the document`;
  if (carried === undefined) {
    const unknown = 'the document does not say how a call carries its key; this is the usual way';
    return { header: { value: 'Authorization', why: unknown }, scheme: { value: 'Bearer', why: unknown } };
  }
  return {
    header: { value: carried.header, why },
    ...(carried.scheme !== undefined && { scheme: { value: carried.scheme, why } }),
  };
}

function carrierOf({ type, in: place, name, scheme, description }: Readonly<Record<string, unknown>>) {
  if (type === 'apiKey' && place === 'header' && typeof name === 'string') {
    const word = /\b(Token|Bearer|Basic|Api-?Key)\b(?=[: ]+[<{$\w])/.exec(
      typeof description === 'string' ? description : '',
    );
    return { header: name, scheme: /^authorization$/i.test(name) ? word?.[1] : undefined };
  }
  if (type === 'http' && typeof scheme === 'string')
    return { header: 'Authorization', scheme: scheme.charAt(0).toUpperCase() + scheme.slice(1) };
  return type === 'oauth2' || type === 'openIdConnect' ? { header: 'Authorization', scheme: 'Bearer' } : undefined;
}

function leftOut(role: string, operation: ApiOperation | undefined, why: string): readonly Guess<string>[] {
  return operation === undefined ? [] : [{ value: `${role}: ${operation.id}`, why }];
}

function named(role: string, { id, method, path }: ApiOperation) {
  return [role, { value: id, why: `${method} ${path}` }] as const;
}
