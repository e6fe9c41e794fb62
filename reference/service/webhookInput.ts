import { member } from './reply.ts';
import type { CustomHeader, Webhook, WebhookAttributes, Problem } from './records.ts';
import { signatureHeader } from './sender.ts';

/**
 * What is stored of a creation (section 4.1): what the contract lists, and nothing else. Without `events` a webhook
 * subscribes to all, which fills GAP-24.
 */
export function attributesOf(body: unknown, catalogue: readonly string[]): WebhookAttributes {
  const given = (name: string) => member(body, 'data', 'attributes', name);
  return {
    url: given('url') as string,
    active: (given('active') as boolean | undefined) ?? true,
    events: (given('events') as readonly string[] | undefined) ?? catalogue,
    headers: (given('headers') as readonly CustomHeader[] | null | undefined)?.map(headerOf) ?? null,
  };
}

/**
 * The webhook after an update: what the body names is replaced, the rest stays. Turning it active forgets its failures,
 * so that it does not turn inactive again at once (section 3.2).
 */
export function updated(webhook: Webhook, body: unknown): Webhook {
  const named = member(body, 'data', 'attributes') as Partial<WebhookAttributes> | undefined;
  const { url, active, events, headers } = { ...webhook, ...named };
  const attributes = attributesOf({ data: { attributes: { url, active, events, headers } } }, webhook.events);
  const reactivated = member(named, 'active') === true;
  return { ...webhook, ...attributes, failures: reactivated ? 0 : webhook.failures };
}

function headerOf({ name, value }: CustomHeader): CustomHeader {
  return { name, value };
}

/**
 * What speaks against sending to a url (section 2.1): it has to be https. This stand-in also takes http to the machine
 * that it runs on, where receivers are developed, also from within a container.
 */
export function urlProblems(url: string, pointer: string): readonly Problem[] {
  const problem = (rule: string, detail: string): readonly Problem[] => [{ status: 422, rule, pointer, detail }];
  const parsed = URL.parse(url);
  if (parsed === null)
    return problem('url', `${pointer} is no URL with a host. Valid is one such as https://example.com/hooks.`);
  if (parsed.username !== '' || parsed.password !== '') {
    return problem('credentials', `${pointer} holds a user name or password. Put credentials into a custom header.`);
  }
  if (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isThisMachine(parsed.hostname))) return [];
  return problem(
    'https',
    `${pointer} begins with ${parsed.protocol} and is on ${parsed.hostname || 'no host'}. Valid is https, or http to this machine (localhost, 127.0.0.1).`,
  );
}

/** A container knows the machine that it runs on by a name of its own. */
function isThisMachine(host: string): boolean {
  return isLoopback(host) || host === 'host.docker.internal';
}

/** @param host - a name, an IPv4 address, or an IPv6 address with or without brackets */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?|(::ffff:)127(\.\d{1,3}){3})$/i.test(host);
}

/** A token (RFC 9110, 5.6.2). */
const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;

/** What a field value may hold (RFC 9110, 5.5): no line break and no other control character. */
const validValue = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/;

/** Names that the service or HTTP itself needs, in lower case: the body's form, the connection, the signature. */
const reserved = new Set([
  signatureHeader.toLowerCase(),
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** What speaks against a custom header. @param pointer - where the header stands in the body */
export function headerProblems({ name, value }: CustomHeader, pointer: string): readonly Problem[] {
  const problem = (rule: string, member: string, detail: string): Problem => {
    return { status: 422, rule, pointer: `${pointer}/${member}`, detail: `${pointer}/${member} ${detail}` };
  };
  const problems: Problem[] = [];
  if (!validName.test(name)) {
    problems.push(
      problem('header-name', 'name', 'is no header name. Valid are letters, digits and hyphens, as in X-Custom-Name.'),
    );
  } else if (reserved.has(name.toLowerCase())) {
    problems.push(
      problem('reserved-header', 'name', `is ${name}, which the service sets itself. Choose another name.`),
    );
  }
  if (!validValue.test(value)) {
    problems.push(
      problem(
        'header-value',
        'value',
        'cannot be sent. Valid are up to 4096 printable characters of Latin-1 without line breaks.',
      ),
    );
  }
  return problems;
}

/** Whether a custom header may go out. */
export function isSendable(header: CustomHeader): boolean {
  return headerProblems(header, '').length === 0;
}

/** Auto-capitalisation (section 2.1): the first letter of each part between hyphens. */
export function capitalised(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
