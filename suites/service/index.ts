import type { ServiceCheck } from '../check.ts';
import * as acceptance from './acceptance/checks.ts';
import * as activation from './activation/checks.ts';
import * as authentication from './authentication/checks.ts';
import * as brokenConnections from './connections/checks.ts';
import * as crashedAttempts from './crashes/crashedAttempts.ts';
import * as crashes from './crashes/checks.ts';
import * as customHeaders from './custom-headers/checks.ts';
import * as delivery from './delivery/checks.ts';
import * as exhaustion from './retries/exhaustion.ts';
import * as followedUpdates from './updates/checks.ts';
import * as foundRecords from './tracking/foundRecords.ts';
import * as hostileCalls from './robustness/checks.ts';
import * as hostileHeaders from './custom-headers/hostileHeaders.ts';
import * as identity from './identity/checks.ts';
import * as inference from './inference/checks.ts';
import * as lists from './lists/checks.ts';
import * as load from './load/checks.ts';
import * as mediaTypes from './media-types/checks.ts';
import * as namedAttributes from './updates/namedAttributes.ts';
import * as notification from './notification/checks.ts';
import * as notificationPages from './lists/notificationPages.ts';
import * as oneUrl from './signature/oneUrl.ts';
import * as quietSamples from './samples/checks.ts';
import * as refusedBacklog from './load/refusedBacklog.ts';
import * as refusals from './refusals/checks.ts';
import * as refusedCreation from './creation/checks.ts';
import * as refusedTracking from './tracking/refusedTracking.ts';
import * as registeredEvents from './registration/registeredEvents.ts';
import * as registration from './registration/checks.ts';
import * as retries from './retries/checks.ts';
import * as sameEventAgain from './delivery/sameEventAgain.ts';
import * as samples from './samples/deliveredSamples.ts';
import * as senderAddress from './sender/checks.ts';
import * as senderAddresses from './sender-addresses/checks.ts';
import * as signature from './signature/checks.ts';
import * as statuses from './statuses/checks.ts';
import * as subscriptions from './subscriptions/checks.ts';
import * as tracking from './tracking/checks.ts';
import * as versioning from './versioning/checks.ts';
import * as xml from './media-types/xml.ts';

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
const processChecks: readonly ServiceCheck[] = [
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
  ...processChecks,
];
