/**
 * How an address is added to this machine's loopback interface; nothing where the system has no usual command for it.
 *
 * @example addAddress('127.0.0.5', 'darwin') // 'sudo ifconfig lo0 alias 127.0.0.5'
 */
export function addAddress(address: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const bits = address.includes(':') ? 128 : 32;
  if (platform === 'linux') return `sudo ip addr add ${address}/${bits} dev lo`;
  if (platform === 'darwin' || platform === 'freebsd')
    return `sudo ifconfig lo0 ${bits === 128 ? 'inet6 ' : ''}alias ${address}`;
  return undefined;
}
