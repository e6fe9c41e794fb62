import type { SignatureForm } from '../../../../spec/contractForm.ts';
import { isRecord } from '../../../../spec/jsonSchema.ts';
import type { WebhookBody } from '../../../../spec/webhookBodies.ts';
import { type Guess, commonHeaders, guessCreatedAt, guessEvent, guessId, type GuessedPlace } from './guessPlaces.ts';
import type { GuessedService } from './guessService.ts';
import { guessSignature } from './guessSignature.ts';
import type { OpenedDocument } from './openedDocument.ts';

/** What a draft says. Members that are not there were not found. */
export interface Draft {
  readonly title: string;
  readonly source?: string;
  /** As the draft names the document. */
  readonly openapi: string;
  readonly method: Guess<string>;
  readonly mediaType: Guess<string>;
  readonly event: Guess<GuessedPlace>;
  readonly id?: Guess<GuessedPlace>;
  readonly createdAt?: Guess<GuessedPlace>;
  readonly accepts: Guess<readonly (string | number)[]>;
  readonly signature?: Guess<SignatureForm>;
  /** The events and the places of their schemas, where the document has no webhooks; nothing for what it has none of. */
  readonly events?: Guess<readonly (readonly [name: string, pointer: string | undefined])[]>;
  /** The API by which webhooks are registered, where the document has one. */
  readonly service?: GuessedService;
}

/** @param openapi - the path of the document, as the draft names it */
export function draftOf({ root, bodies, why, service }: OpenedDocument, openapi: string): Draft {
  const info = isRecord(root['info']) ? root['info'] : {};
  const { title, description } = info;
  const link = isRecord(root['externalDocs']) ? root['externalDocs']['url'] : undefined;
  const event = guessEvent(bodies);
  const [id, createdAt] = [guessId(bodies), guessCreatedAt(bodies)];
  const signature = guessSignature(bodies, commonHeaders(bodies), typeof description === 'string' ? [description] : []);
  return {
    title: typeof title === 'string' ? title : 'Webhooks',
    ...(typeof link === 'string' && { source: link }),
    openapi,
    method: commonest(
      bodies.map(({ method }) => method),
      'POST',
    ),
    mediaType: commonest(
      bodies.map(({ mediaType }) => mediaType),
      'application/json',
    ),
    event,
    ...(id && { id }),
    ...(createdAt && { createdAt }),
    accepts: acceptedBy(bodies),
    ...(signature && { signature }),
    ...(why !== undefined && { events: { value: eventsOf(bodies, service), why } }),
    ...(service && { service }),
  };
}

/** Events, each with the place of its schema; those of subscriptions where nothing describes what is sent. */
function eventsOf(bodies: readonly WebhookBody[], service: GuessedService | undefined) {
  if (bodies.length > 0) return bodies.map(({ key, pointer }) => [key, pointer] as const);
  return (service?.events ?? []).map((name) => [name, undefined] as const);
}

function commonest(values: readonly string[], usual: string): Guess<string> {
  const counted = [...Map.groupBy(values, (value) => value)].toSorted(([, a], [, b]) => b.length - a.length);
  const [[value, all] = [usual, values] as const] = counted;
  return all.length === values.length
    ? { value }
    : { value, why: `${all.length} of ${values.length} webhooks; the others are left out` };
}

function acceptedBy(bodies: readonly WebhookBody[]): Guess<readonly (string | number)[]> {
  const declared = [...new Set(bodies.flatMap(({ responses }) => responses))]
    .filter((status) => status.startsWith('2'))
    .toSorted();
  if (declared.length === 0) return { value: ['2XX'], why: 'the document declares no responses of webhooks' };
  const value = declared.map((status) => (/^\d+$/.test(status) ? Number(status) : status));
  return { value, why: 'the responses of the document; many providers accept any status of 2XX' };
}
