import type { ReceiverCheck } from '../check.ts';
import * as acceptance from './acceptance/checks.ts';
import * as changedBody from './signature/changedBody.ts';
import * as changedSources from './source/changedSources.ts';
import * as connections from './robustness/checks.ts';
import * as crash from './crash/checks.ts';
import * as forgedSignature from './signature/checks.ts';
import * as hostileHttp from './robustness/hostileHttp.ts';
import * as hostileJson from './robustness/hostileJson.ts';
import * as idempotency from './idempotency/checks.ts';
import * as lateRedelivery from './idempotency/lateRedelivery.ts';
import * as load from './load/checks.ts';
import * as outage from './outage/checks.ts';
import * as pausing from './outage/pausing.ts';
import * as recovery from './recovery/checks.ts';
import * as retries from './retries/checks.ts';
import * as shutdown from './shutdown/checks.ts';
import * as signature from './signature/genuineSignatures.ts';
import * as source from './source/checks.ts';
import * as uuidVersions from './acceptance/uuidVersions.ts';

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
