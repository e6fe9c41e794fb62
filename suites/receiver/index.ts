import type { ReceiverCheck } from '../check.ts';
import * as acceptance from './acceptance.ts';
import * as changedBody from './changedBody.ts';
import * as connections from './connections.ts';
import * as forgedSignature from './forgedSignature.ts';
import * as hostileHttp from './hostileHttp.ts';
import * as hostileJson from './hostileJson.ts';
import * as idempotency from './idempotency.ts';
import * as retries from './retries.ts';
import * as signature from './signature.ts';

/** Every check of a receiver, in the order of the contract; those that disturb others run last. */
export const receiverChecks: readonly ReceiverCheck[] = [
  acceptance.everyEvent,
  acceptance.everyDeliveryStatus,
  acceptance.anyIncluded,
  acceptance.anyTimestamp,
  acceptance.anyText,
  acceptance.anyMediaType,
  acceptance.unknownMembers,
  acceptance.unknownEvent,
  signature.everySpelling,
  signature.beyondAscii,
  signature.headerCase,
  signature.everySecret,
  forgedSignature.forged,
  changedBody.changedAfterSigning,
  changedBody.changedContent,
  forgedSignature.nothingAdded,
  idempotency.redeliveryAccepted,
  idempotency.takesEffectOnce,
  idempotency.concurrentCopies,
  idempotency.idAloneDecides,
  retries.everyRetry,
  acceptance.answersInTime,
  acceptance.notANotification,
  retries.brokenConnection,
  idempotency.firstDeliveryFailed,
  retries.redeliveryStorm,
  forgedSignature.malformedSignature,
  forgedSignature.refusal,
  connections.slowBodies,
  connections.idleConnections,
  hostileHttp.unusualFraming,
  hostileHttp.unusualContentType,
  hostileHttp.unusualEncoding,
  hostileHttp.otherMethods,
  hostileHttp.illegalHttp,
  hostileJson.malformedJson,
  hostileJson.unusualJson,
  connections.oversizedBodies,
];
