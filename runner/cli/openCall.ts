import type { Header } from '../../suites/delivery.ts';
import { openAddress, withAuthorization } from '../http/openAddress.ts';
import type { SettingSources } from '../options/settings.ts';

/** A call whose address holds no user and no password. */
interface OpenCall {
  readonly url: string;
  readonly sources: SettingSources;
}

/**
 * The same call as if the user and the password in the address of a receiver had been given as a header.
 *
 * @param headers - those that were given, wherever
 */
export function openCall(address: string, headers: readonly Header[], sources: SettingSources): OpenCall {
  const open = openAddress(address);
  if (open.authorization === undefined) return { url: address, sources };
  const header = withAuthorization(headers, open).map((each) => each.join(': '));
  return { url: open.address, sources: { ...sources, commandLine: { ...sources.commandLine, header } } };
}
