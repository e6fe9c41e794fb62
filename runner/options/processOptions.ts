import { UsageError } from '../errors.ts';
import type { ProcessSpec } from '../process/targetProcess.ts';
import { BadValue, integerKind, pairsKind, scalar, textKind, type OptionKind } from './optionKinds.ts';
import { requirePackage } from './packages.ts';
import { option, type Settings } from './option.ts';

/** Variables of an environment: `NAME=value`; a later one of the same name wins. In a config file an object. */
const environmentKind: OptionKind<Readonly<Record<string, string>>> = {
  ...pairsKind,
  placeholder: '<NAME=value>',
  valid: 'a variable and its value with = between them, such as LOG_LEVEL=debug',
  read: (texts) => Object.fromEntries(texts.map(readVariable)),
};

/** The name of such a variable. */
export const variableKind: OptionKind<string> = scalar({
  placeholder: '<NAME>',
  valid: 'the name of an environment variable, such as WEBHOOK_SECRET',
  read: (text) => (/^[A-Za-z_][\w.-]*$/.test(text) ? text : undefined),
});

function readVariable(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z_][\w.-]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new BadValue(text, environmentKind.valid);
  return [name, value];
}

/** `NAME="$NAME"`: its value may be a secret. */
function shownVariable(text: string): string {
  const [name = ''] = text.split('=');
  return `${name}="$${name.replaceAll(/\W/g, '_')}"`;
}

/** How the kit is given process control of a target, for each command that can make use of it. */
export const processOptions = {
  start: option({
    flag: '--start',
    mistakenFor: ['--command', '--cmd'],
    kind: textKind('<command>', 'a shell command'),
    group: 'Target',
    description:
      'shell command that runs the target; the kit starts it, and may kill, pause and restart it. Without --start or --image, the crash and outage checks are not observable',
    defaultText: 'none',
    runs: () => true,
  }),
  image: option({
    flag: '--image',
    kind: textKind('<ref>', 'the name of a container image, such as registry.example/receiver:1.2'),
    group: 'Target',
    description:
      'like --start, with a container of this image; needs --port and a container engine. The address of the target is then a path',
    defaultText: 'none',
    runs: () => true,
  }),
  port: option({
    flag: '--port',
    kind: integerKind(1, 65_535),
    group: 'Target',
    description: 'the port that the target listens on inside its container',
    defaultText: 'none',
  }),
  env: option({
    flag: '--env',
    kind: environmentKind,
    group: 'Target',
    description:
      'a variable for the environment of the target that --start or --image runs; what is printed or saved shows $NAME for a value that may be secret',
    default: {},
    defaultText: 'none',
    shown: shownVariable,
    // NODE_OPTIONS, LD_PRELOAD and PATH do.
    runs: () => true,
  }),
} as const;

/** The values of the options about the process of a target. */
export type ProcessSettings = Settings<typeof processOptions>;

/**
 * How the target is to be started; nothing where it runs by itself.
 *
 * @param hidden - a command as it may be shown, without secrets. Default: as it is
 * @param wait - what the command prints once it is up. Default: nothing that is waited for
 * @throws UsageError where options exclude or miss each other
 */
export function processSpecOf(
  { start, image, port, env }: ProcessSettings,
  hidden: (command: string) => string = (command) => command,
  wait?: RegExp,
): ProcessSpec | undefined {
  if (start !== undefined && image !== undefined) throw conflict('--start and --image were both given');
  if (port !== undefined && image === undefined) throw conflict('--port was given without --image');
  if (image !== undefined && port === undefined) throw conflict('--image was given without --port');
  if (start !== undefined)
    return { kind: 'command', command: start, ...shownAs(hidden(start), start), env, ...(wait && { wait }) };
  if (image !== undefined && port !== undefined) {
    requirePackage('testcontainers', '--image');
    return { kind: 'container', image, port, env };
  }
  if (Object.keys(env).length > 0) throw conflict('--env was given without --start or --image');
  return undefined;
}

/** Only where it differs. */
function shownAs(shown: string, command: string): { readonly shown?: string } {
  return shown === command ? {} : { shown };
}

function conflict(received: string): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received,
    valid: '--start <command>, or --image <ref> with --port <n>; with either of them --env <NAME=value>',
    next: 'leave one of them out, or add the one that is missing; the config file counts too',
  });
}
