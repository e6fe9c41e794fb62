import type { Option } from './options.ts';

/** The default in words, where it says anything: not of a switch, which is off. */
export function defaultText({ default: value, defaultText }: Option<unknown>): string | undefined {
  if (defaultText !== undefined) return defaultText;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
