import type { OptionKind } from './optionKinds.ts';

/** The options but those of these names. */
export function optionsWithout<Registry extends Options, Left extends string>(
  options: Registry,
  left: readonly Left[],
): Omit<Registry, Left> {
  const isLeft = new Set<string>(left);
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isLeft.has(name))) as Omit<Registry, Left>;
}

/** The default in words, where it says anything: not of a switch, which is off. */
export function defaultText({ default: value, defaultText }: Option<unknown>): string | undefined {
  if (defaultText !== undefined) return defaultText;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The headings of `--help` and of docs/options.md, in their order. */
export const optionGroups = ['Target', 'Selection', 'Cases', 'Pace', 'Reports', 'Contract', 'Configuration'] as const;

/**
 * One option, for the command line, the environment, the config file and the documentation alike. Its name (the key
 * in the registry) is its key in a config file.
 *
 * @typeParam Value - what the program gets; holds `undefined` where there is no default
 */
export interface Option<Value> {
  readonly flag: `--${string}`;
  /** Its short form on the command line. Default: none */
  readonly short?: `-${string}`;
  /** Options by which other programs know it. Default: none */
  readonly mistakenFor?: readonly string[];
  readonly kind: OptionKind<Exclude<Value, undefined>>;
  readonly group: (typeof optionGroups)[number];
  readonly description: string;
  readonly default: Value;
  /** Another default in some environments; nothing where the default holds. */
  readonly defaultIn?: (environment: Readonly<Record<string, string | undefined>>) => Value | undefined;
  /** What stands for the default in help, where the value itself says too little. */
  readonly defaultText?: string;
  /** An environment variable that gives it, one value a line. */
  readonly environment?: string;
  /** How a value is written in shell where others may read it, such as in the command that repeats a run. */
  readonly shown?: (text: string) => string;
  /** Its values as others may read them, with environment variables (`$NAME`) in place of what is secret in them. */
  readonly hidden?: (texts: readonly string[]) => readonly string[];
  /** Whether a value has something run: what a config file says of it is refused with `--safe`. Default: none has. */
  readonly runs?: (text: string) => boolean;
  /** The path that a value has written, if any: with `--safe` a config file names none outside its folder. */
  readonly writes?: (text: string) => string | undefined;
  /** True where it makes no sense in a config file. */
  readonly commandLineOnly?: boolean;
}

type OptionOf<Kind> = Kind extends OptionKind<infer Value> ? Value : never;

/** Gives an option its types. */
export function option<Kind extends OptionKind<unknown>>(
  option: Omit<Option<OptionOf<Kind>>, 'kind' | 'default'> & { readonly kind: Kind; readonly default: OptionOf<Kind> },
): Option<OptionOf<Kind>>;

export function option<Kind extends OptionKind<unknown>>(
  option: Omit<Option<OptionOf<Kind>>, 'kind' | 'default'> & { readonly kind: Kind },
): Option<OptionOf<Kind> | undefined>;

export function option(option: object): object {
  return { default: undefined, ...option };
}

/** A registry of options, by name. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a registry's options, defaults filled in. */
export type Settings<Registry> = {
  readonly [Name in keyof Registry]: Registry[Name] extends Option<infer Value> ? Value : never;
};
