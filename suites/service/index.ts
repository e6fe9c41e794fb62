import type { ServiceCheck } from '../check.ts';
import { contractSuites } from '../contracts/index.ts';
import { inOrder } from '../items.ts';
import { acceptanceChecks } from './acceptance/checks.ts';
import { activationChecks } from './activation/checks.ts';
import { authenticationChecks } from './authentication/checks.ts';
import { connectionsChecks } from './connections/checks.ts';
import { crashesChecks } from './crashes/checks.ts';
import { creationChecks } from './creation/checks.ts';
import { customHeadersChecks } from './custom-headers/checks.ts';
import { deliveryChecks } from './delivery/checks.ts';
import { identityChecks } from './identity/checks.ts';
import { listsChecks } from './lists/checks.ts';
import { loadChecks } from './load/checks.ts';
import { mediaTypesChecks } from './media-types/checks.ts';
import { notificationChecks } from './notification/checks.ts';
import { refusalsChecks } from './refusals/checks.ts';
import { registrationChecks } from './registration/checks.ts';
import { retriesChecks } from './retries/checks.ts';
import { robustnessChecks } from './robustness/checks.ts';
import { samplesChecks } from './samples/checks.ts';
import { senderAddressesChecks } from './sender-addresses/checks.ts';
import { senderChecks } from './sender/checks.ts';
import { signatureChecks } from './signature/checks.ts';
import { statusesChecks } from './statuses/checks.ts';
import { subscriptionsChecks } from './subscriptions/checks.ts';
import { updatesChecks } from './updates/checks.ts';
import { versioningChecks } from './versioning/checks.ts';

/** Topics about what a service accepts, answers and refuses. */
const apiTopics = [
  versioningChecks,
  mediaTypesChecks,
  registrationChecks,
  identityChecks,
  authenticationChecks,
  creationChecks,
  updatesChecks,
  listsChecks,
  senderAddressesChecks,
];

/** Topics about what it sends, when, how often, and signed with what. */
const deliveryTopics = [
  deliveryChecks,
  notificationChecks,
  signatureChecks,
  customHeadersChecks,
  subscriptionsChecks,
  acceptanceChecks,
  refusalsChecks,
  connectionsChecks,
  retriesChecks,
  statusesChecks,
  activationChecks,
  loadChecks,
  samplesChecks,
  senderChecks,
];

/** Topics that a service may not survive: hostile calls, then what kills it and starts it again. */
const lastTopics = [robustnessChecks, crashesChecks];

/** Checks that run alone come after those of all topics that may run beside others. */
const alone = [
  'service/delivery/same-event-again',
  'service/load/slow-beside-fast',
  'service/lists/webhooks',
  'service/lists/notification-pages',
  'service/load/hundreds-of-webhooks',
];

/** What only one contract asks for. */
const own = Object.values(contractSuites);
const ownChecks = own.map(({ checks }) => checks);

/** Every check of a service, in the order in which they run and are listed. */
export const serviceChecks: readonly ServiceCheck[] = inOrder(
  [...apiTopics, ...deliveryTopics, ...lastTopics, ...ownChecks],
  {
    'service/registration/resource-object': ['service/identity/uuid', 'service/identity/assigned'],
    'service/registration/events': ['service/identity/secret'],
    'service/authentication/wrong-key': ['service/registration/created', 'service/registration/without-events'],
    'service/activation/while-retrying': ['service/updates/followed', 'service/updates/replaced-secret'],
    'service/sender/published-address': alone,
    ...Object.assign({}, ...own.map(({ after }) => after)),
  },
);
