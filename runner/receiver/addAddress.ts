import type { Answer } from '../../suites/delivery.ts';
/**
 * How an address is added to this machine's loopback interface; nothing where the system has no usual command for it.
 *
 * @example addAddress('127.0.0.5') // 'sudo ip addr add 127.0.0.5/32 dev lo'
 */
export function addAddress(address: string): string | undefined {
  const { platform } = process;
  const bits = address.includes(':') ? 128 : 32;
  if (platform === 'linux') return `sudo ip addr add ${address}/${bits} dev lo`;
  if (platform === 'darwin' || platform === 'freebsd')
    return `sudo ifconfig lo0 ${bits === 128 ? 'inet6 ' : ''}alias ${address}`;
  return undefined;
}

/** Codes of a connection that cannot come from the address that it should come from. */
const unsendable: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EINVAL']);

/** Whether an answer is none because this machine cannot send from the address that was asked for. */
export function isUnsendable(answer: Answer): answer is Extract<Answer, { readonly kind: 'broken' }> {
  return answer.kind === 'broken' && unsendable.has(answer.code);
}

/** Says so, and what to do about it. */
export function unsendableFrom(address: string, code: string): string {
  const how = ['add it', addAddress(address)].filter((words) => words !== undefined).join(': ');
  return `this machine cannot send to the receiver from ${address} (${code}); where it lacks that address, ${how}`;
}
