import type { ServiceCheck } from '../check.ts';
import * as acceptance from './acceptance.ts';
import * as activation from './activation.ts';
import * as authentication from './authentication.ts';
import * as brokenConnections from './brokenConnections.ts';
import * as crashedAttempts from './crashedAttempts.ts';
import * as crashes from './crashes.ts';
import * as customHeaders from './customHeaders.ts';
import * as delivery from './delivery.ts';
import * as exhaustion from './exhaustion.ts';
import * as followedUpdates from './followedUpdates.ts';
import * as foundRecords from './foundRecords.ts';
import * as hostileCalls from './hostileCalls.ts';
import * as hostileHeaders from './hostileHeaders.ts';
import * as identity from './identity.ts';
import * as inference from './inference.ts';
import * as lists from './lists.ts';
import * as load from './load.ts';
import * as mediaTypes from './mediaTypes.ts';
import * as namedAttributes from './namedAttributes.ts';
import * as notification from './notification.ts';
import * as notificationPages from './notificationPages.ts';
import * as oneUrl from './oneUrl.ts';
import * as quietSamples from './quietSamples.ts';
import * as refusedBacklog from './refusedBacklog.ts';
import * as refusals from './refusals.ts';
import * as refusedCreation from './refusedCreation.ts';
import * as refusedTracking from './refusedTracking.ts';
import * as registeredEvents from './registeredEvents.ts';
import * as registration from './registration.ts';
import * as retries from './retries.ts';
import * as sameEventAgain from './sameEventAgain.ts';
import * as samples from './samples.ts';
import * as senderAddress from './senderAddress.ts';
import * as senderAddresses from './senderAddresses.ts';
import * as signature from './signature.ts';
import * as statuses from './statuses.ts';
import * as subscriptions from './subscriptions.ts';
import * as tracking from './tracking.ts';
import * as versioning from './versioning.ts';
import * as xml from './xml.ts';

/** What a service accepts, answers and refuses. */
const apiChecks: readonly ServiceCheck[] = [
  versioning.basePath,
  versioning.onlyInPath,
  mediaTypes.resources,
  mediaTypes.plainJson,
  mediaTypes.answer,
  mediaTypes.trigger,
  xml.xml,
  registration.resourceObject,
  identity.uuids,
  identity.assigned,
  registration.url,
  registration.active,
  registeredEvents.events,
  identity.secrets,
  registration.createdAt,
  registration.noHeaders,
  authentication.noKey,
  authentication.wrongKey,
  registration.created,
  registeredEvents.withoutEvents,
  refusedCreation.incomplete,
  refusedCreation.wrongEvents,
  refusedCreation.malformed,
  refusedCreation.notHttps,
  refusedCreation.withoutActive,
  namedAttributes.named,
  lists.offered,
  senderAddresses.published,
  inference.inferred,
  foundRecords.atOnce,
];

/** Checks of the API that run alone, after what may run beside others. */
const aloneChecks: readonly ServiceCheck[] = [
  lists.webhooks,
  notificationPages.everyPage,
  tracking.taken,
  tracking.records,
  tracking.visible,
  tracking.listed,
  refusedTracking.unknownNumber,
  refusedTracking.wrongScac,
];

/** What a service sends, when, how often, and signed with what. */
const deliveryChecks: readonly ServiceCheck[] = [
  delivery.post,
  delivery.json,
  notification.shape,
  notification.uuid,
  notification.type,
  notification.event,
  notification.status,
  notification.included,
  notification.createdAt,
  signature.firstAttempt,
  signature.everyAttempt,
  oneUrl.oneUrl,
  customHeaders.sent,
  customHeaders.sentAgain,
  customHeaders.capitalised,
  hostileHeaders.harmless,
  subscriptions.eachEvent,
  subscriptions.narrow,
  subscriptions.allButOne,
  subscriptions.uniqueIds,
  acceptance.acceptedStatus,
  acceptance.unusualAnswers,
  refusals.refusedStatus,
  refusals.redirect,
  brokenConnections.brokenConnection,
  brokenConnections.timeOut,
  brokenConnections.refusedConnection,
  retries.recovery,
  retries.sameNotification,
  exhaustion.exhaustion,
  statuses.pendingWhileTrying,
  statuses.succeeded,
  statuses.listed,
  activation.inactive,
  activation.afterFailures,
  activation.whileRetrying,
  followedUpdates.followed,
  refusedBacklog.refusedHoldsUpNobody,
  load.exhaustedHoldsUpNobody,
  samples.eachEvent,
  samples.signed,
  samples.plainBody,
  quietSamples.refused,
  quietSamples.noTrace,
  quietSamples.nobodyElse,
  senderAddress.published,
];

/** Checks of deliveries that run alone, after everything else. */
const loadChecks: readonly ServiceCheck[] = [sameEventAgain.sameEventAgain, load.slowBesideFast, load.hundreds];

/** Hostile calls come last: a service may die of them. */
const hostileChecks: readonly ServiceCheck[] = [hostileCalls.requests, hostileCalls.bodies];

/** What the end of the process costs: the service is killed and started again, one case after the other. */
const lifeChecks: readonly ServiceCheck[] = [
  crashes.pending,
  crashes.inFlight,
  crashes.justRaised,
  crashes.webhooks,
  crashedAttempts.counted,
  crashedAttempts.finished,
];

/** Every check of a service, in the order of the contract; those that disturb others run last. */
export const serviceChecks: readonly ServiceCheck[] = [
  ...apiChecks,
  ...deliveryChecks,
  ...aloneChecks,
  ...loadChecks,
  ...hostileChecks,
  ...lifeChecks,
];
