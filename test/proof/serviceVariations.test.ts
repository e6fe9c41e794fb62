import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { serviceFaults } from '../../reference/faults/service/index.ts';
import { replacingSecrets } from '../../reference/faults/service/signing.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import type { ServicePolicies } from '../../reference/service/policies.ts';
import type { Header, Outcome, Webhook } from '../../reference/service/records.ts';
import { member, refusal } from '../../reference/service/reply.ts';
import { startService } from '../../reference/service/service.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { expectFound } from './expectFound.ts';
import { asFound, intensity } from './testReceiver.ts';
import { testService, pace } from './testService.ts';
import { brokenIn } from '../brokenIn.ts';

type Variation = readonly [check: string, fault: string, requirement: string];

/** What a check finds beside the fault that it is proven by, in a judgement of its own. */
const variations: readonly Variation[] = [
  ['service/retries/same-notification', 'names-another-event-on-a-retry', 'NTF-5'],
  ['service/retries/same-notification', 'sends-after-a-time-out-without-headers', 'SIG-1'],
  ['service/registration/headers', 'fails-on-headers-that-are-null', 'ROB-2'],
  ['service/delivery/post', 'drops-the-query-of-the-url', 'SVC-2'],
  ['service/refusals/redirect', 'follows-redirects-to-other-hosts', 'DLV-3'],
  ['service/statuses/listed', 'lists-the-first-event-of-the-webhook', 'NTF-9'],
  ['service/subscriptions/each-event', 'writes-null-where-a-document-brings-nothing-along', 'NTF-8'],
  ['service/registration/events', 'refuses-an-event', 'WHK-7'],
  ['service/activation/inactive', 'tells-what-it-missed-once-active-again', 'WHK-6'],
  ['service/statuses/pending-while-trying', 'says-failed-on-a-retry', 'STA-3'],
  ['service/custom-headers/sent', 'notifies-no-webhook-with-an-empty-list-of-headers', 'DLV-6'],
  ['service/acceptance/unusual-answers', 'sends-what-takes-long-once-more', 'NTF-3'],
  ['service/registration/created', 'shows-no-secret-to-plain-json', 'CRW-1'],
  ['service/subscriptions/each-event', 'raises-nothing', 'DLV-6'],
  ['service/registration/created', 'fails-once-its-disk-is-full', 'CRW-1'],
  ['service/samples/nobody-else', 'turns-off-the-webhook-of-a-sample', 'TRG-4'],
  ['service/robustness/hostile-bodies', 'cannot-log-more-than-a-mebibyte', 'ROB-2'],
  ['service/signature/first-attempt', 'sends-custom-headers-in-place-of-the-signature', 'SIG-1'],
  ['service/custom-headers/harmless', 'reserves-its-names-in-capitals-only', 'SIG-2'],
  ['service/signature/one-url', 'notifies-each-url-once', 'DLV-6'],
];

/**
 * What costs more than CI has for it, and `npm run proof` tries: faults that show after many deliveries or time-outs, or in
 * one more member of what is compared; and those that show in a judgement that another fault proves, with other values.
 */
const furtherCases: readonly Variation[] = [
  ['service/lists/notification-pages', 'links-to-all-pages-but-the-last', 'LST-2'],
  ['service/delivery/same-event-again', 'joins-what-happens-in-quick-succession', 'DLV-6'],
  ['service/delivery/same-event-again', 'joins-what-happens-at-the-same-moment', 'DLV-6'],
  ['service/statuses/succeeded', 'lists-all-with-thirteen-attempts-as-failed', 'STA-4'],
  ['service/connections/refused', 'stops-at-a-webhook-that-it-cannot-reach', 'DLV-6'],
  ['service/updates/followed', 'undoes-what-was-changed-while-inactive', 'ACT-3'],
  ['service/samples/each-event', 'brings-an-object-along-with-a-sample', 'TRG-1'],
  ['service/updates/others', 'deletes-every-webhook-of-the-same-url', 'LST-1'],
  ['service/updates/pending', 'keeps-the-old-headers-for-what-it-retries', 'ACT-3'],
  ['service/custom-headers/sent', 'signs-no-delivery-with-many-headers', 'SIG-1'],
  ['service/notification/created-at', 'counts-months-from-nought', 'NTF-7'],
  ['service/refusals/refused-status', 'takes-any-success-for-an-answer-to-a-retry', 'DLV-3'],
  ['service/creation/malformed', 'takes-one-and-nought-for-active', 'CRW-5'],
  ['service/acceptance/accepted-status', 'takes-no-answer-without-a-reason', 'DLV-2'],
  ['service/authentication/no-key', 'changes-webhooks-and-then-looks-at-the-key', 'API-1'],
  ['service/samples/nobody-else', 'raises-the-event-of-a-sample', 'TRG-4'],
  ['service/samples/each-event', 'drops-the-query-of-a-sample', 'TRG-1'],
  ['service/samples/each-event', 'sends-each-sample-twice', 'TRG-1'],
  ['service/custom-headers/sent', 'sends-custom-headers-to-other-webhooks-as-well', 'WHK-10'],
  ['service/lists/notification-pages', 'links-to-no-page-of-one', 'LST-2'],
  ['service/lists/notification-pages', 'leaves-the-order-of-a-second-to-chance', 'LST-2'],
  ['service/delivery/post', 'joins-the-parts-of-the-path', 'SVC-2'],
  ['service/acceptance/accepted-status', 'reads-no-answer-in-gzip', 'DLV-2'],
  ['service/registration/events', 'lists-ten-events-of-a-webhook', 'WHK-7'],
  ['service/registration/created', 'shows-no-headers-to-plain-json', 'SVC-4'],
  ['service/creation/malformed', 'takes-nothing-for-active', 'CRW-5'],
  ['service/lists/notification-pages', 'links-from-no-page-of-one', 'LST-2'],
  ['service/lists/notification-pages', 'links-to-a-page-of-the-usual-size', 'LST-2'],
  ['service/delivery/post', 'escapes-the-fragment-of-the-url', 'SVC-2'],
  ['service/acceptance/accepted-status', 'takes-no-answer-without-a-length', 'DLV-2'],
  ['service/delivery/same-event-again', 'derives-the-id-from-the-webhook-and-the-event', 'NTF-2'],
  ['service/retries/same-notification', 'tells-a-status-of-its-queue-on-a-retry', 'NTF-6'],
  ['service/retries/same-notification', 'forgets-custom-headers-on-a-retry', 'WHK-10'],
  ['service/retries/same-notification', 'drops-the-query-on-a-retry', 'SVC-2'],
  ['service/load/hundreds-of-webhooks', 'lists-the-latest-hundred-notifications', 'LST-2'],
  ['service/retries/exhaustion', 'counts-retries-anew-once-its-url-is-updated', 'STA-2'],
  ['service/retries/exhaustion', 'counts-retries-anew-once-another-is-accepted', 'STA-2'],
  ['service/connections/time-out', 'gives-up-after-three-time-outs-in-a-row', 'STA-5'],
  ['service/retries/exhaustion', 'delivers-failed-notifications-again-once-another-is-accepted', 'STA-3'],
  ['service/retries/exhaustion', 'delivers-failed-notifications-again-to-a-new-url', 'STA-3'],
  ['service/retries/exhaustion', 'gives-up-all-of-a-webhook-with-one', 'STA-5'],
  ['service/statuses/listed', 'lists-the-time-of-the-last-retry-as-that-of-the-creation', 'NTF-9'],
  ['service/load/refused-holds-up-nobody', 'drops-what-is-pending-once-something-was-accepted', 'DLV-3'],
  ['service/statuses/pending-while-trying', 'lists-no-notification-that-is-pending', 'NTF-9'],
  ['service/load/hundreds-of-webhooks', 'takes-ids-from-a-ring', 'NTF-2'],
  ['service/subscriptions/each-event', 'reads-twenty-events-of-a-webhook', 'DLV-6'],
  ['service/delivery/same-event-again', 'takes-a-moment-to-read-other-events', 'ACT-3'],
  ['service/delivery/same-event-again', 'drops-a-repeat-that-comes-soon', 'DLV-6'],
  ['service/retries/same-notification', 'puts-a-retry', 'SVC-2'],
  ['service/retries/same-notification', 'calls-the-json-of-a-retry-bytes', 'DLV-1'],
  ['service/authentication/wrong-key', 'compares-the-beginning-of-the-key', 'API-2'],
  ['service/authentication/wrong-key', 'compares-the-end-of-the-key', 'API-2'],
  ['service/authentication/wrong-key', 'takes-an-end-of-the-key', 'API-2'],
  ['service/custom-headers/sent', 'stores-255-characters-of-a-custom-header', 'WHK-10'],
  ['service/custom-headers/sent', 'masks-credentials-and-sends-the-mask', 'WHK-10'],
  ['service/custom-headers/sent', 'sends-no-header-that-it-does-not-show', 'WHK-10'],
  ['service/refusals/refused-status', 'gives-up-where-it-is-asked-to-wait', 'DLV-3'],
  ['service/refusals/refused-status', 'cannot-read-a-date-in-retry-after', 'DLV-3'],
  ['service/refusals/redirect', 'follows-permanent-redirects-of-a-retry', 'DLV-3'],
  ['service/activation/unasked', 'turns-inactive-after-a-time-out', 'ACT-1'],
  ['service/updates/replaced-secret', 'keeps-a-replaced-secret-in-a-cache', 'WHK-9'],
  ['service/updates/replaced-secret', 'shows-a-new-secret-and-signs-with-the-old-one', 'WHK-9'],
  ['service/samples/signed', 'signs-a-sample-as-the-webhook-of-its-url', 'TRG-2'],
  ['service/creation/malformed', 'takes-headers-as-a-map', 'CRW-5'],
  ['service/creation/malformed', 'takes-a-header-without-a-value', 'CRW-5'],
  ['service/creation/malformed', 'looks-at-the-first-header-only', 'CRW-5'],
  ['service/creation/not-https', 'takes-http-to-what-begins-like-this-machine', 'CRW-6'],
  ['service/creation/not-https', 'compares-the-scheme-by-its-case', 'CRW-6'],
  ['service/connections/broken', 'gives-up-on-an-empty-reply', 'DLV-4'],
  ['service/load/refused-holds-up-nobody', 'skips-webhooks-with-a-backlog', 'DLV-6'],
  ['service/creation/wrong-events', 'looks-events-up-in-an-object', 'CRW-4'],
  ['service/notification/created-at', 'calls-its-local-time-utc', 'NTF-7'],
  ['service/samples/signed', 'trims-the-secret-of-a-sample', 'TRG-2'],
  ['service/retries/exhaustion', 'counts-no-refusal-that-asks-to-wait', 'STA-2'],
  ['service/retries/exhaustion', 'retries-once-more-after-a-time-out', 'STA-2'],
  ['service/statuses/listed', 'lists-no-notification-that-failed', 'NTF-9'],
  ['service/statuses/listed', 'lists-notifications-of-active-webhooks-only', 'NTF-9'],
  ['service/retries/same-notification', 'changes-the-id-on-the-last-retry', 'NTF-3'],
  ['service/authentication/no-key', 'asks-no-key-for-a-page', 'API-1'],
  ['service/acceptance/accepted-status', 'counts-202-of-a-retry-as-failure', 'DLV-2'],
  ['service/statuses/listed', 'lists-times-without-their-zone', 'NTF-9'],
  ['service/creation/wrong-events', 'looks-for-a-repeated-event-next-to-it', 'CRW-4'],
  ['service/custom-headers/sent', 'writes-underscores-as-hyphens', 'WHK-10'],
  ['service/custom-headers/sent', 'sends-no-empty-header', 'WHK-10'],
  ['service/custom-headers/sent', 'sends-one-custom-header-of-a-name', 'WHK-10'],
  ['service/retries/exhaustion', 'counts-no-attempt-that-timed-out', 'STA-2'],
  ['service/lists/notification-pages', 'links-from-each-page-to-the-second', 'LST-2'],
  ['service/load/exhausted-holds-up-nobody', 'tells-nobody-else-while-a-receiver-is-down', 'DLV-6'],
  ['service/identity/secret', 'makes-secrets-of-the-time', 'WHK-8'],
  ['service/retries/same-notification', 'begins-a-retry-with-a-byte-order-mark', 'DLV-1'],
  ['service/statuses/pending-while-trying', 'lists-what-was-sent-once-as-succeeded', 'STA-1'],
  ['service/registration/created', 'answers-200-to-plain-json', 'CRW-1'],
  ['service/lists/notification-pages', 'counts-pages-in-the-size-that-was-asked-for', 'LST-2'],
  ['service/delivery/same-event-again', 'keeps-its-webhooks-in-a-cache', 'DLV-6'],
  ['service/connections/broken', 'gives-up-on-what-is-no-http', 'DLV-4'],
  ['service/delivery/post', 'reads-the-escapes-of-the-path', 'SVC-2'],
  ['service/tracking/unknown-number', 'finds-whatever-is-no-bill-of-lading', 'TRQ-3'],
  ['service/updates/others', 'updates-every-webhook-of-the-same-url', 'ACT-3'],
  ['service/updates/others', 'turns-off-every-webhook-of-the-same-url', 'ACT-3'],
  ['service/subscriptions/each-event', 'notifies-the-newest-twenty-webhooks', 'DLV-6'],
  ['service/retries/same-notification', 'makes-the-last-retry-a-notification-of-its-own', 'NTF-3'],
  ['service/refusals/refused-status', 'gives-up-on-a-rare-status', 'DLV-3'],
  ['service/connections/broken', 'gives-up-on-a-retry-that-breaks', 'DLV-4'],
  ['service/acceptance/accepted-status', 'reads-an-error-in-an-accepting-answer', 'DLV-2'],
  ['service/acceptance/accepted-status', 'takes-an-answer-in-chunks-for-none', 'DLV-2'],
  ['service/creation/malformed', 'takes-one-event-as-a-text', 'CRW-5'],
  ['service/creation/wrong-events', 'misses-a-repeated-event-in-a-long-list', 'CRW-4'],
  ['service/authentication/no-key', 'asks-no-key-for-further-pages', 'API-1'],
  ['service/registration/url', 'stores-255-characters-of-a-url', 'WHK-4'],
  ['service/updates/invalid', 'validates-no-update-of-several-members', 'WHK-7'],
  ['service/delivery/same-event-again', 'takes-a-moment-to-wake-a-webhook', 'ACT-2'],
  ['service/refusals/refused-status', 'makes-no-retry', 'DLV-3'],
  ['service/refusals/refused-status', 'is-done-with-what-it-has-sent', 'DLV-3'],
  ['service/authentication/wrong-key', 'reads-the-first-word-of-the-key', 'API-2'],
  ['service/creation/malformed', 'flattens-lists-of-events', 'CRW-5'],
  ['service/creation/wrong-events', 'folds-the-letters-of-events', 'CRW-4'],
  ['service/custom-headers/sent', 'reads-numbers-in-custom-headers', 'WHK-10'],
  ['service/samples/signed', 'signs-a-sample-with-the-secret-as-it-stood-in-the-call', 'TRG-2'],
  ['service/samples/signed', 'composes-the-secret-of-a-sample', 'TRG-2'],
  ['service/creation/malformed', 'takes-a-list-of-one-for-what-it-holds', 'CRW-5'],
  ['service/delivery/same-event-again', 'takes-a-moment-to-turn-a-webhook-off', 'WHK-6'],
  ['service/updates/pending', 'drops-what-is-pending-once-its-webhook-is-updated', 'DLV-3'],
  ['service/registration/events', 'takes-twenty-events-at-most', 'WHK-7'],
  ['service/registration/url', 'stores-a-url-without-its-last-slash', 'WHK-4'],
  ['service/delivery/post', 'sends-to-the-url-in-small-letters', 'SVC-2'],
  ['service/delivery/post', 'sends-a-repeated-parameter-once', 'SVC-2'],
  ['service/delivery/post', 'sends-a-plus-without-its-escape', 'SVC-2'],
  ['service/delivery/post', 'sends-to-the-url-without-its-last-slash', 'SVC-2'],
  ['service/delivery/same-event-again', 'never-comes-back', 'ACT-2'],
  ['service/authentication/no-key', 'sends-the-sample-that-it-refuses', 'API-1'],
  ['service/registration/resource-object', 'types-listed-webhooks-in-the-plural', 'WHK-3'],
  ['service/samples/each-event', 'names-its-samples', 'TRG-1'],
  ['service/creation/wrong-events', 'takes-an-asterisk-for-all-events', 'CRW-4'],
  ['service/updates/named', 'keeps-headers-that-an-update-takes-away', 'ACT-3'],
  ['service/refusals/refused-status', 'takes-a-conflict-on-a-retry-for-an-acceptance', 'DLV-3'],
  ['service/notification/created-at', 'keeps-the-day-of-a-time', 'NTF-7'],
  ['service/creation/malformed', 'leaves-nothings-out-of-events', 'CRW-5'],
  ['service/creation/wrong-events', 'matches-events-up-to-a-line-break', 'CRW-4'],
  ['service/updates/invalid', 'stores-what-is-right-of-a-refused-update', 'ACT-3'],
  ['service/subscriptions/each-event', 'numbers-its-notifications-of-documents', 'NTF-2'],
  ['service/subscriptions/each-event', 'writes-times-of-documents-without-a-zone', 'NTF-7'],
  ['service/authentication/wrong-key', 'takes-a-bearer-as-well', 'API-2'],
  ['service/updates/named', 'answers-an-update-with-what-was-before', 'ACT-3'],
  ['service/updates/named', 'turns-off-what-an-update-does-not-call-active', 'ACT-3'],
  ['service/refusals/refused-status', 'turns-off-what-is-gone-and-drops-its-queue', 'DLV-3'],
  ['service/signature/every-attempt', 'signs-a-retry-in-capitals', 'SIG-2'],
  ['service/creation/malformed', 'takes-nothing-for-all-events', 'CRW-5'],
  ['service/statuses/pending-while-trying', 'lists-what-is-under-way-as-succeeded', 'STA-1'],
  ['service/statuses/listed', 'lists-times-as-numbers', 'NTF-9'],
  ['service/samples/no-trace', 'lists-samples-with-a-secret', 'TRG-6'],
  ['service/samples/incomplete', 'takes-any-event-beside-a-secret', 'TRG-3'],
  ['service/retries/exhaustion', 'delivers-failed-notifications-again', 'STA-3'],
  ['service/updates/pending', 'drops-what-is-pending-once-another-webhook-is-deleted', 'DLV-3'],
  ['service/activation/inactive', 'drops-a-false-that-an-update-names', 'WHK-6'],
  ['service/custom-headers/sent', 'sends-a-request-id-of-its-own', 'WHK-10'],
  ['service/registration/url', 'shows-a-url-without-its-fragment', 'WHK-4'],
  ['service/tracking/taken', 'fails-on-a-number-that-it-tracks', 'TRQ-1'],
  ['service/registration/active', 'takes-an-inactive-webhook-for-incomplete', 'WHK-5'],
  ['service/creation/malformed', 'compares-events-loosely', 'CRW-5'],
  ['service/delivery/post', 'sends-nothing-to-a-url-with-a-user', 'SVC-2'],
  ['service/delivery/post', 'writes-dots-in-parameters-as-underscores', 'SVC-2'],
  ['service/acceptance/accepted-status', 'takes-an-answer-that-is-no-text-for-none', 'DLV-2'],
  ['service/refusals/refused-status', 'cannot-store-a-refusal-that-is-no-text', 'DLV-3'],
  ['service/updates/pending', 'drops-what-waits-for-a-retry-when-its-webhook-is-updated', 'DLV-3'],
  ['service/updates/pending', 'keeps-each-webhook-in-one-of-three-processes', 'ACT-3'],
  ['service/statuses/listed', 'lists-times-in-the-zone-of-the-server', 'NTF-7'],
  ['service/activation/inactive', 'lists-webhooks-as-active-as-they-were-created', 'LST-1'],
  ['service/custom-headers/every-attempt', 'sends-a-retry-with-the-headers-of-another-webhook', 'WHK-10'],
  ['service/updates/pending', 'drops-what-waits-for-the-url-of-a-webhook-that-is-deleted', 'DLV-3'],
  ['service/activation/same-url', 'turns-off-the-newest-webhook-when-another-fails', 'ACT-1'],
  ['service/samples/no-trace', 'lists-samples-that-go-to-the-url-of-a-webhook', 'TRG-6'],
  ['service/media-types/xml', 'writes-texts-into-the-xml-as-they-are', 'SVC-8'],
  ['service/samples/incomplete', 'folds-the-event-of-a-sample', 'TRG-3'],
  ['service/retries/same-notification', 'sends-again-with-get-after-a-303', 'SVC-2'],
  ['service/load/hundreds-of-webhooks', 'makes-secrets-of-the-millisecond', 'WHK-8'],
  ['service/robustness/hostile-bodies', 'cannot-write-what-it-refuses', 'ROB-2'],
  ['service/custom-headers/harmless', 'matches-headers-up-to-a-line-break', 'SIG-2'],
  ['service/custom-headers/harmless', 'notifies-nobody-beside-a-header-that-it-cannot-send', 'DLV-6'],
  ['service/robustness/hostile-requests', 'counts-its-rows-in-32-bits', 'ROB-2'],
  ['service/statuses/succeeded', 'keeps-a-status-as-it-was-first-listed', 'STA-4'],
  ['service/signature/one-url', 'signs-a-retry-with-the-secret-of-its-url', 'WHK-9'],
  ['service/signature/one-url', 'sends-the-headers-of-the-first-webhook-at-a-url', 'WHK-10'],
  ['service/samples/signed', 'signs-no-retry-of-a-sample', 'TRG-2'],
  ['service/load/hundreds-of-webhooks', 'has-a-hundred-places-for-retries', 'DLV-3'],
  ['service/subscriptions/each-event', 'retries-no-news-of-documents', 'DLV-3'],
  ['service/subscriptions/each-event', 'sends-news-of-documents-without-custom-headers', 'WHK-10'],
  ['service/subscriptions/each-event', 'gives-news-of-documents-an-id-for-each-attempt', 'NTF-3'],
];

const tried = intensity === 'standard' ? [...variations, ...furtherCases] : variations;

const checksOf = (id: string) => serviceChecks.filter((check) => check.id === id);

/** @param retryWindow - milliseconds. It is waited out only where something does not come */
async function hold(id: string, policies = conformingPolicies, retryWindow = 4000) {
  const service = await startService({ ...pace, policies });
  return testService(service, {
    checks: checksOf(id),
    secondOpinion: false,
    seed: 42,
    settle: 400,
    retryWindow,
    ...asFound,
  });
}

describe('a variation of a fault is found by the check that is about it', () => {
  test.concurrent.each(tried)('%s: %s', { timeout: 120_000 }, async (id, fault, requirement) => {
    const { breaks, change } = serviceFaults[fault]!;
    expect(breaks[0]).toBe(requirement);
    // Where the check waits for several time-outs, the retry window has room for them.
    const window = /time-out|timed-out/.test(id + fault) ? 12_000 : undefined;
    const { checks, requirements } = await expectFound({ breaks, proven: [id] }, () =>
      hold(id, change(conformingPolicies), window),
    );
    const isBinding = requirements.find((each) => each.id === requirement)?.level === 'must';
    expect(checks.map((check) => [check.id, check.outcome])).toContainEqual([id, isBinding ? 'failed' : 'warned']);
  });
});

// The reference, as it is, passes all of them in `conformingServices.test.ts`.
test.each([
  ['service/subscriptions/each-event', 'DLV-1', 'the 0 bytes that came are no JSON'],
  ['service/load/hundreds-of-webhooks', 'SIG-2', 'the signature of attempt 1, whose body is empty'],
])('%s says of a retry without a body that it has none', { timeout: 60_000 }, async (id, requirement, words) => {
  const { checks } = await hold(id, {
    ...conformingPolicies,
    attemptBody: ({ number, body }) => (number > 1 ? Buffer.alloc(0) : body),
    sign: (body, secret) => conformingPolicies.sign(body.length === 0 ? Buffer.from('{}') : body, secret),
  });
  const [found] = checks.map(({ counterexample }) => counterexample);
  expect(found?.requirements).toContain(requirement);
  expect(found?.summary).toContain(words);
});

/** As a client writes it that adds to what it holds under a name. */
function inAList([name, own]: Header, headers: readonly Header[]): readonly Header[] {
  const isOther = ([each]: Header) => each.toLowerCase() !== name.toLowerCase();
  const values = headers.filter((header) => !isOther(header)).map(([, value]) => value);
  return [[name, [own, ...values].join(', ')], ...headers.filter(isOther)];
}

describe.concurrent('what keeps the contract in a way of its own passes', () => {
  test('service/updates/replaced-secret, where a secret can be replaced', { timeout: 60_000 }, async () => {
    const policies = replacingSecrets(conformingPolicies, () => false);
    const { checks } = await hold('service/updates/replaced-secret', policies, 20_000);
    expect(checks.find(({ id }) => id === 'service/updates/replaced-secret')).toMatchObject({ outcome: 'passed' });
  });

  test('service/updates/named, where the list of webhooks is a moment behind', { timeout: 60_000 }, async () => {
    const before = new Map<string, { readonly webhook: Webhook; readonly until: number }>();
    const { checks } = await hold('service/updates/named', {
      ...conformingPolicies,
      updated: (webhook, body) => {
        before.set(webhook.id, { webhook, until: performance.now() + 300 });
        return conformingPolicies.updated(webhook, body);
      },
      webhookResource: (webhook, showing, timestamp) => {
        const old = showing === 'listed' ? before.get(webhook.id) : undefined;
        const shown = old !== undefined && performance.now() < old.until ? old.webhook : webhook;
        return conformingPolicies.webhookResource(shown, showing, timestamp);
      },
    });
    expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
  });

  test('service/registration/*, where it makes one webhook for a url', async () => {
    for (const name of ['without-events', 'created', 'headers']) {
      const id = `service/registration/${name}`;
      const { checks } = await hold(
        id,
        withRoomFor(conformingPolicies, ({ urls, url }) => !urls.includes(url)),
      );
      expect(checks.find((check) => check.id === id)).toMatchObject({ outcome: 'passed' });
    }
  });

  test.each([
    ['hex in capitals', (signature) => signature.toUpperCase()],
    ['base64 of the hex', (signature) => Buffer.from(signature).toString('base64')],
  ] as const satisfies readonly (readonly [string, (signature: string) => string])[])(
    'service/signature/first-attempt, where the digest is written as %s',
    async (variant, write) => {
      const { checks, observations, learned } = await hold('service/signature/first-attempt', {
        ...conformingPolicies,
        sign: (...what) => write(conformingPolicies.sign(...what)),
      });
      expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
      expect(observations.map(({ value }) => value)).toContain(`the signature is hmac-sha256-hex, ${variant}`);
      expect(learned.map(({ key }) => key)).not.toContain('signature.scheme');
    },
  );

  test.each([
    ['in a line of its own', (own: Header, headers: readonly Header[]) => [own, ...headers]],
    ['in a list', inAList],
  ])(
    'service/custom-headers/sent, where a header of its own goes out with the one of a webhook, %s',
    async (_, both) => {
      const { checks, observations } = await hold('service/custom-headers/sent', {
        ...conformingPolicies,
        requestHeaders: (parts) => both(['User-Agent', 'sea/1'], conformingPolicies.requestHeaders(parts)),
      });
      expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
      expect(observations.map(({ value }) => value)).toContainEqual(
        expect.stringMatching(/^User-Agent goes out twice/),
      );
    },
  );

  test('service/samples/signed, where a sample that is refused is sent again', async () => {
    const { checks } = await hold('service/samples/signed', {
      ...conformingPolicies,
      sampleRetry: (outcome, order) => (outcome.kind === 'answered' && outcome.status >= 400 ? order : undefined),
    });
    expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
  });

  test(
    'service/load/hundreds-of-webhooks, where retries are sent one after the other',
    { timeout: 60_000 },
    async () => {
      let [due, count] = [0, 0];
      const { checks } = await hold(
        'service/load/hundreds-of-webhooks',
        {
          ...conformingPolicies,
          retryDelay: () => {
            // The worker stands still for a while in the middle of them.
            due = Math.max(due, performance.now()) + ((count += 1) === 60 ? 2000 : 40);
            return due - performance.now();
          },
        },
        20_000,
      );
      expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
    },
  );

  test.each([
    'service/load/hundreds-of-webhooks',
    'service/subscriptions/each-event',
    'service/refusals/refused-status',
  ])('%s, where a host that refuses much gets nothing for a while', { timeout: 180_000 }, async (id) => {
    let [open, count] = [0, 0];
    const { checks } = await hold(
      id,
      {
        ...conformingPolicies,
        retryDelay: () => {
          if ((count += 1) % 20 === 0) open = performance.now() + 5000;
          return Math.max(40, open - performance.now());
        },
      },
      20_000,
    );
    expect(checks.map(({ outcome }) => outcome)).not.toContain('failed');
  });

  test('service/connections/refused, where the retries of a refused connection are over first', async () => {
    const { checks } = await hold('service/connections/refused', {
      ...conformingPolicies,
      retryDelay: (retry, _tuning, { kind }) => (kind === 'answered' && retry === 1 ? 2000 : 40),
    });
    expect(checks.map(({ outcome }) => outcome)).toEqual(['inconclusive']);
  });

  test('service/signature/one-url, where the webhooks of a url share the id of a notification', async () => {
    const last = new Map<string, { readonly id: string; readonly webhooks: Set<string> }>();
    const { checks } = await hold('service/signature/one-url', {
      ...conformingPolicies,
      newNotificationId: (event, webhook) => {
        const known = last.get(event + webhook.url);
        const isNew = known === undefined || known.webhooks.has(webhook.id);
        const { id, webhooks } = isNew ? { id: randomUUID(), webhooks: new Set<string>() } : known;
        last.set(event + webhook.url, { id, webhooks: webhooks.add(webhook.id) });
        return id;
      },
    });
    expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
  });

  test('service/retries/recovery, where it turns a failing webhook off, and holds what is pending', async () => {
    const isGone = (outcome: Outcome, number: number): boolean =>
      number >= 3 && outcome.kind === 'answered' && outcome.status === 404;
    const { checks } = await hold('service/retries/recovery', {
      ...conformingPolicies,
      turnsInactive: (outcome, { number }) => isGone(outcome, number),
      retryDelay: (number, tuning, outcome) =>
        isGone(outcome, number) ? 3_600_000 : conformingPolicies.retryDelay(number, tuning, outcome),
    });
    expect(checks.map(({ outcome }) => outcome)).toEqual(['inconclusive']);
  });

  test('service/refusals/refused-status, where it waits for as long as Retry-After asks', async () => {
    const { checks, observations } = await hold('service/refusals/refused-status', heedful(conformingPolicies));
    expect(checks.find(({ id }) => id === 'service/refusals/refused-status')).toMatchObject({ outcome: 'passed' });
    expect(observations.map(({ value }) => value)).toContain('Retry-After: 1 of a 503: no retry comes sooner');
  });
});

test('a service of which nothing comes at all pushes nothing', { timeout: 120_000 }, async () => {
  const { requirements } = await expectFound(
    { breaks: ['SVC-2', 'DLV-6'], proven: ['service/subscriptions/each-event'] },
    () => hold('service/subscriptions/each-event', { ...conformingPolicies, isRaised: () => false }),
  );
  expect(brokenIn({ requirements }).toSorted()).toEqual(['DLV-6', 'SVC-2']);
});

test('what is listed as over while an attempt is under way is not taken for given up', async () => {
  const { change } = serviceFaults['lists-what-is-under-way-as-succeeded']!;
  const { requirements } = await hold('service/retries/exhaustion', change(conformingPolicies));
  expect(brokenIn({ requirements })).toEqual([]);
});

test('a list that leads no further from its last page but one hides what is last', { timeout: 60_000 }, async () => {
  const { requirements } = await hold('service/lists/notification-pages', {
    ...conformingPolicies,
    nextPage: (page, pages, total) =>
      page.size === 1 && page.number === total - 1 ? undefined : conformingPolicies.nextPage(page, pages, total),
  });
  expect(brokenIn({ requirements })).toEqual(['LST-2']);
});

test.each([
  ['time-outs', 'loses-a-worker-to-each-time-out', 'service/load/slow-beside-fast'],
  ['refusals', 'leaves-the-body-of-a-refusal-unread', 'service/delivery/same-event-again'],
])(
  'a service that %s have stopped for good has lost what happens afterwards',
  { timeout: 60_000 },
  async (_, fault, check) => {
    const stopped = serviceFaults[fault]!.change(conformingPolicies);
    const { checks, requirements } = await hold(check, stopped, 1000);
    expect(brokenIn({ requirements })).toEqual(['DLV-6']);
    const found = checks[0]?.counterexample;
    expect(found?.actual).toContain('for 1 s nothing came to any of');
    expect(found?.hint).toContain('the place in the pool');
  },
);

test.each([
  ['service/refusals/refused-status', 3, 'passed'],
  ['service/updates/pending', 1, 'not-observable'],
])('%s blames neither a status nor an update with a budget of %i', { timeout: 60_000 }, async (id, retries, is) => {
  const { checks, requirements } = await hold(id, { ...conformingPolicies, retries });
  expect(brokenIn({ requirements })).toEqual([]);
  expect(checks.find((check) => check.id === id)).toMatchObject({ outcome: is });
});

test(
  'a webhook that is switched off for its refused connections need not be sent anything',
  { timeout: 60_000 },
  async () => {
    const { checks, requirements } = await hold('service/connections/refused', {
      ...conformingPolicies,
      turnsInactive: ({ kind }) => kind === 'broken',
      isRetried: (outcome, attempt) => outcome.kind !== 'broken' && conformingPolicies.isRetried(outcome, attempt),
    });
    expect(brokenIn({ requirements })).toEqual([]);
    expect(checks.find(({ id }) => id === 'service/connections/refused')).toMatchObject({ outcome: 'inconclusive' });
  },
);

test('a webhook that turned inactive once beside a sample says nothing of samples', { timeout: 60_000 }, async () => {
  let sampled: string | undefined;
  const { requirements } = await hold('service/samples/nobody-else', {
    ...conformingPolicies,
    sampleRecipients: (order, webhooks) => {
      if (webhooks.some(({ url }) => url === order.url)) sampled ??= order.url;
      return conformingPolicies.sampleRecipients(order, webhooks);
    },
    webhookResource: (webhook, showing, timestamp) =>
      conformingPolicies.webhookResource(
        webhook.url === sampled ? { ...webhook, active: false } : webhook,
        showing,
        timestamp,
      ),
  });
  expect(brokenIn({ requirements })).toEqual([]);
});

test.each([
  'service/delivery/same-event-again',
  'service/load/exhausted-holds-up-nobody',
  'service/statuses/listed',
  'service/activation/same-url',
  'service/retries/exhaustion',
])('%s counts no notifications that show no id', { timeout: 60_000 }, async (id) => {
  const { checks, requirements } = await hold(id, {
    ...conformingPolicies,
    attemptBody: (attempt) => conformingPolicies.attemptBody(attempt).subarray(0, -1),
    // Each event happens twice, as where others make it happen as well.
    announce: async (store) => (await conformingPolicies.announce(store)) + (await conformingPolicies.announce(store)),
  });
  expect(brokenIn({ requirements })).toEqual([]);
  expect(checks.find((check) => check.id === id)).toMatchObject({ outcome: 'inconclusive' });
});

test('retries that carry no custom header at all say nothing of an update', { timeout: 60_000 }, async () => {
  const fault = serviceFaults['forgets-custom-headers-on-a-retry']!;
  const { requirements } = await hold('service/updates/pending', fault.change(conformingPolicies));
  expect(brokenIn({ requirements })).toEqual([]);
});

test('retries that show no id leave open what was not sent again', { timeout: 60_000 }, async () => {
  const fault = serviceFaults['begins-a-retry-with-a-byte-order-mark']!;
  const { checks } = await hold('service/load/refused-holds-up-nobody', fault.change(conformingPolicies));
  expect(checks.find(({ id }) => id.endsWith('/refused-holds-up-nobody'))).toMatchObject({ outcome: 'inconclusive' });
});

test(
  'a creation that is refused for its events alone says nothing of custom headers',
  { timeout: 60_000 },
  async () => {
    const { requirements } = await hold(
      'service/registration/headers',
      serviceFaults['needs-events']!.change(conformingPolicies),
    );
    expect(brokenIn({ requirements })).toEqual([]);
  },
);

test.each([
  ['service/refusals/refused-status', 'passed', undefined],
  // One creation after the other is refused, and none of its own is in the way.
  ['service/registration/events', 'passed', undefined],
  [
    'service/load/hundreds-of-webhooks',
    'inconclusive',
    'The service allows fewer webhooks at once than this check needs: let it allow more',
  ],
] as const)('%s, where a service has room for a few webhooks: %s', { timeout: 120_000 }, async (id, is, why) => {
  const few = withRoomFor(conformingPolicies, ({ urls }) => urls.length < 12);
  const { outcome, reason } = (await hold(id, few)).checks.find((check) => check.id === id) ?? {};
  expect({ outcome, advice: reason?.split('. ').at(-1) }).toEqual({ outcome: is, advice: why });
});

test('a custom header that the service replaces by one of its own is broken, with what to do about it', async () => {
  const { checks, requirements } = await hold('service/custom-headers/sent', {
    ...conformingPolicies,
    requestHeaders: (parts) =>
      conformingPolicies
        .requestHeaders(parts)
        .map(([name, value]) => [name, name.toLowerCase() === 'user-agent' ? 'sea/1' : value]),
  });
  expect(brokenIn({ requirements })).toEqual(['WHK-10']);
  expect(checks[0]?.counterexample?.hint).toMatch(/sets a header of that name, too/);
});

test('a custom header that no client sets by itself is broken where something is added to its value', async () => {
  const { requirements } = await hold('service/custom-headers/sent', {
    ...conformingPolicies,
    customHeaders: (attempt) =>
      conformingPolicies.customHeaders(attempt).map(({ name, value }) => {
        const isDoubled = value !== '' && !/^(x-request-id|x-correlation-id|traceparent|user-agent)$/i.test(name);
        return { name, value: isDoubled ? `${value}, ${value}` : value };
      }),
  });
  expect(brokenIn({ requirements })).toEqual(['WHK-10']);
});

test('service/subscriptions/each-event says of a retry with a time of its own how it keeps the first one', async () => {
  const { change } = serviceFaults['dates-each-attempt-anew']!;
  const { checks } = await hold('service/subscriptions/each-event', change(conformingPolicies));
  expect(checks[0]?.counterexample?.hint).toMatch(/its time of creation when it is stored/);
});

test('a hostile call is not blamed where a service has room for a few webhooks, and deletes none', async () => {
  const few: ServicePolicies = {
    ...withRoomFor(conformingPolicies, ({ urls }) => urls.length < 20),
    deletedWith: () => {
      throw refusal(405, 'method', 'No webhook is deleted.');
    },
  };
  const { checks, requirements } = await hold('service/robustness/hostile-requests', few);
  expect(brokenIn({ requirements })).toEqual([]);
  expect(checks[0]?.reason).toContain('The service deletes no webhook, and allows no more beside those');
});

test(
  'a creation that is always refused is found where a service has room for a few webhooks',
  { timeout: 60_000 },
  async () => {
    const refusing = serviceFaults['refuses-an-event']!.change(conformingPolicies);
    const { requirements } = await hold(
      'service/registration/events',
      withRoomFor(refusing, ({ urls }) => urls.length < 8),
    );
    expect(brokenIn({ requirements })).toEqual(['WHK-7']);
  },
);

/** Waits before a retry for as long as it is asked to. */
function heedful(policies: ServicePolicies): ServicePolicies {
  return {
    ...policies,
    retryDelay: (retry, tuning, outcome) => {
      const asked = outcome.kind === 'answered' ? Number(outcome.retryAfter ?? 0) * 1000 : 0;
      return Math.max(policies.retryDelay(retry, tuning, outcome), asked > 0 ? asked : 0);
    },
  };
}

/** Refuses a webhook that there is no room for. @param hasRoom - is asked with the urls of those that are there */
function withRoomFor(
  policies: ServicePolicies,
  hasRoom: (asked: { readonly urls: readonly string[]; readonly url: string }) => boolean,
): ServicePolicies {
  const urls: string[] = [];
  return {
    ...policies,
    schemaProblems: (operation, body) => {
      const problems = policies.schemaProblems(operation, body);
      const url = member(body, 'data', 'attributes', 'url');
      if (operation.operationId !== 'createWebhook' || typeof url !== 'string' || hasRoom({ urls, url }))
        return problems;
      return [
        ...problems,
        { status: 422, pointer: '/data', rule: 'room', detail: 'there is no room for another webhook' },
      ];
    },
    attributesOf: (body, catalogue) => {
      const attributes = policies.attributesOf(body, catalogue);
      urls.push(attributes.url);
      return attributes;
    },
    deletedWith: (webhook, all) => {
      urls.splice(urls.indexOf(webhook.url), 1);
      return policies.deletedWith(webhook, all);
    },
  };
}
