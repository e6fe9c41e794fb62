import type { Problem } from './records.ts';

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
