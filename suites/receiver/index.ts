import type { ReceiverCheck } from '../check.ts';
import * as acceptance from './acceptance.ts';
import * as changedBody from './changedBody.ts';
import * as changedSources from './changedSources.ts';
import * as connections from './connections.ts';
import * as crash from './crash.ts';
import * as forgedSignature from './forgedSignature.ts';
import * as hostileHttp from './hostileHttp.ts';
import * as hostileJson from './hostileJson.ts';
import * as idempotency from './idempotency.ts';
import * as lateRedelivery from './lateRedelivery.ts';
import * as load from './load.ts';
import * as outage from './outage.ts';
import * as pausing from './pausing.ts';
import * as recovery from './recovery.ts';
import * as retries from './retries.ts';
import * as shutdown from './shutdown.ts';
import * as signature from './signature.ts';
import * as source from './source.ts';
import * as uuidVersions from './uuidVersions.ts';

/** Every check of a receiver, in the order of the contract; those that disturb others stand last. */
export const receiverChecks: readonly ReceiverCheck[] = [
  acceptance.everyEvent,
  acceptance.everyDeliveryStatus,
  acceptance.anyIncluded,
  acceptance.anyTimestamp,
  acceptance.anyText,
  uuidVersions.everyUuidVersion,
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
  lateRedelivery.lateRedelivery,
  idempotency.concurrentCopies,
  idempotency.idAloneDecides,
  source.everyPublished,
  source.otherAddress,
  source.forwardingHeader,
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
  changedSources.changedList,
  load.backlog,
  outage.refusedConnections,
  pausing.paused,
  crash.acknowledged,
  crash.knownIds,
  crash.interruptedWork,
  crash.unacknowledged,
  shutdown.inFlight,
  recovery.afterAnOutage,
];
