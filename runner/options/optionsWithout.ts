import type { Options } from './options.ts';

/** The options but those of these names. */
export function optionsWithout<Registry extends Options, Left extends object>(
  options: Registry,
  left: Left,
): Omit<Registry, keyof Left> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in left))) as Omit<Registry, keyof Left>;
}
