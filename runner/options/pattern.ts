/**
 * Whether a name matches a pattern in which `*` stands for any characters, `/` and none included. Case-sensitive.
 *
 * @example
 * matches('receiver/signature/*', 'receiver/signature/missing') // true
 */
export function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}
