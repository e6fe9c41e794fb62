import type { KitErrored } from '../reports/model/events.ts';

/** Whose turn it is: the caller's (`usage`), the target's (`target`), or ours (`kit`). */
export type ErrorKind = 'usage' | 'target' | 'kit';

/** The exit code that each kind of error ends the program with. */
export const exitCodeOf = { usage: 2, target: 3, kit: 70 } as const satisfies Record<ErrorKind, number>;

interface CatalogueEntry {
  readonly kind: ErrorKind;
  /** When it comes, for docs/errors.md. */
  readonly when: string;
}

/**
 * Every error that the kit ends with. A code is never reused and never changes its meaning: scripts match on it.
 * docs/errors.md lists them all; a test keeps both in step.
 */
export const errorCatalogue = {
  SW_NODE_TOO_OLD: { kind: 'usage', when: 'The Node that started the kit is older than the one that it needs.' },
  SW_COMMAND_UNKNOWN: { kind: 'usage', when: 'The first word after `seaworthy` is not one of its commands.' },
  SW_FILES_FEW: { kind: 'usage', when: 'This process may open fewer than 32 files and connections (`ulimit -n`).' },
  SW_ARGUMENT_MISSING: { kind: 'usage', when: 'A command was given without its argument (`receiver` needs a URL).' },
  SW_ARGUMENT_EXCESS: { kind: 'usage', when: 'A command was given more arguments than it takes.' },
  SW_OPTION_UNKNOWN: { kind: 'usage', when: 'An option does not exist for this command.' },
  SW_OPTION_VALUE: { kind: 'usage', when: 'The value of an option or of an environment variable is not valid.' },
  SW_URL_INVALID: { kind: 'usage', when: 'The target is not an absolute http or https URL.' },
  SW_TARGET_REMOTE: {
    kind: 'usage',
    when: 'The target is neither a loopback nor a private address, and `--allow-remote` was not given.',
  },
  SW_PATTERN_UNMATCHED: {
    kind: 'usage',
    when: 'A pattern of `--only`, `--skip`, `--require` or `--events` matches nothing.',
  },
  SW_NOTHING_SELECTED: {
    kind: 'usage',
    when: '`--only` and `--skip` together leave no check to run, or `--last-failed` finds none that failed.',
  },
  SW_REPORT_FORMAT: { kind: 'usage', when: '`--report` names a format that does not exist.' },
  SW_REPORT_STDOUT: { kind: 'usage', when: 'Two reports would be written to standard output at once.' },
  SW_REPORT_WRITE: {
    kind: 'usage',
    when: 'The file of a report or of the journal, or standard output, cannot be written: the path is wrong, or the disk is full.',
  },
  SW_CORPUS_WRITE: { kind: 'usage', when: 'The folder of `--corpus` cannot be made or written.' },
  SW_ASSUMPTION_INVALID: { kind: 'usage', when: '`--assume` names no assumption, or a value that it cannot have.' },
  SW_PROBE_INVALID: { kind: 'usage', when: '`--probe` is neither a URL with `{id}` nor a command.' },
  SW_PROBE_UNUSABLE: {
    kind: 'usage',
    when: 'The probe does not count: it answers 404, HTML, nothing, or a count that cannot be, for plain deliveries that were accepted.',
  },
  SW_EMIT_UNUSABLE: {
    kind: 'usage',
    when: '`--emit` raises no event: the URL cannot be called or refuses, or the command fails, for each of several events.',
  },
  SW_INIT_WRITE: { kind: 'usage', when: '`init` cannot write one of its files.' },
  SW_CONFIG_MISSING: { kind: 'usage', when: 'The file named by `--config` does not exist.' },
  SW_CONFIG_UNREADABLE: { kind: 'usage', when: 'The config file cannot be parsed, or throws while it is loaded.' },
  SW_CONFIG_INVALID: { kind: 'usage', when: 'The config file has an unknown key or a value of the wrong form.' },
  SW_CONFIG_UNSAFE: {
    kind: 'usage',
    when: '`--safe` was given, and the config file is a program, names something to run, or a path outside its folder to write to.',
  },
  SW_FILE_UNREADABLE: {
    kind: 'usage',
    when: 'A file named by an option (`--ca`, `--expect-failures`) cannot be read.',
  },
  SW_CERTIFICATES_INVALID: {
    kind: 'usage',
    when: 'The file of `--ca` holds no certificate in PEM form, or one that cannot be read.',
  },
  SW_ADDRESS_FOREIGN: { kind: 'usage', when: '`--published` names an address that this machine cannot send from.' },
  SW_PACKAGE_MISSING: {
    kind: 'usage',
    when: 'A command, an option or a format needs a package that is not installed, or only in a version that is too old.',
  },
  SW_LISTEN_FAILED: {
    kind: 'usage',
    when: 'The address of `--host` and `--port`, of `--catcher-listen` or of `--api-listen` is taken or cannot be listened on.',
  },
  SW_DATABASE_UNUSABLE: {
    kind: 'usage',
    when: 'The file of `--database` is in use, was not written by a sandbox, or cannot be written.',
  },
  SW_OPTION_CONFLICT: {
    kind: 'usage',
    when: 'Options exclude each other, or one was given without another that it needs.',
  },
  SW_PORT_TAKEN: {
    kind: 'usage',
    when: 'Something listens at the URL before `--start` or `--image` has started anything there.',
  },
  SW_ENGINE_MISSING: { kind: 'usage', when: '`--image` was given, and no container engine can be reached.' },
  SW_IMAGE_MISSING: {
    kind: 'usage',
    when: 'The image of `--image` is not there, and cannot be pulled.',
  },
  SW_START_FAILED: {
    kind: 'target',
    when: 'The target of `--start` or `--image` ended, or accepted no connections in time.',
  },
  SW_LIFE_FAILED: {
    kind: 'target',
    when: 'The target of `--start` or `--image` could not be killed, paused or removed.',
  },
  SW_CASE_INVALID: { kind: 'usage', when: 'A file given to `replay` holds no saved case.' },
  SW_CASE_UNTRUSTED: {
    kind: 'usage',
    when: 'A file given to `replay` names a command, a remote address or the like, and neither `--trust` nor the options themselves were given.',
  },
  SW_CONTRACT_INVALID: {
    kind: 'usage',
    when: 'There is no contract of the name or path that `--contract` gives, or it cannot be read or used.',
  },
  SW_DOCUMENT_INVALID: {
    kind: 'usage',
    when: 'The file given to `contract init` cannot be read, is no OpenAPI document of version 3, or describes no webhooks.',
  },
  SW_FILE_EXISTS: { kind: 'usage', when: 'The file that `contract init` would write is there already.' },
  SW_EVENT_UNKNOWN: { kind: 'usage', when: '`contract show --event` names no event of the contract.' },
  SW_ID_UNKNOWN: {
    kind: 'usage',
    when: '`explain` or `requirements` was given the name of nothing that the kit knows.',
  },
  SW_EXPECTATIONS_INVALID: {
    kind: 'usage',
    when: 'The file of `--expect-failures` is not a list of entries with an id and a reason each.',
  },
  SW_JOURNAL_UNREADABLE: {
    kind: 'usage',
    when: 'A file given to `report` or `--resume` cannot be read, or is not a journal of this version.',
  },
  SW_RESUME_DIFFERS: {
    kind: 'usage',
    when: 'The journal of `--resume` is about another target, contract, version of the kit or plan than this run, or about a search.',
  },
  SW_JOURNALS_DIFFER: {
    kind: 'usage',
    when: 'Journals given to `report` together are about different contracts, plans or targets, or contradict each other.',
  },
  SW_REPORT_DOCUMENT: {
    kind: 'usage',
    when: 'The format of `--report` cannot show a comparison, or several targets side by side.',
  },
  SW_RESET_FAILED: { kind: 'target', when: 'The command of `--reset` failed, so the target is in an unknown state.' },
  SW_DEMO_UNEXPECTED: {
    kind: 'kit',
    when: '`seaworthy demo` saw another result than the one that it demonstrates.',
  },
  SW_CONTRACT_BROKEN: { kind: 'kit', when: 'The contract that ships with the kit does not load.' },
  SW_PRISM_SILENT: {
    kind: 'kit',
    when: 'Prism accepts anything where the contract does not, so its second opinion would be worthless.',
  },
  SW_INTERNAL: { kind: 'kit', when: 'Anything else: a bug of the kit.' },
} as const satisfies Record<string, CatalogueEntry>;

/** Any code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

type CodeOf<Kind extends ErrorKind> = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['kind'] extends Kind ? Code : never;
}[ErrorCode];

/** What an error says to its reader; each is a phrase without a full stop. */
export interface Explanation {
  /** What was received, or what happened. */
  readonly received: string;
  /** What would have been right. */
  readonly valid?: string;
  /** What to do now. */
  readonly next: string;
}

/** The common form of the three kinds: a stable code, an exit code, and a message of up to three lines. */
export abstract class SeaworthyError extends Error {
  readonly code: ErrorCode;
  readonly exitCode: number;
  readonly explanation: Explanation;

  constructor(code: ErrorCode, explanation: Explanation, options?: ErrorOptions) {
    super(explained(explanation), options);
    this.code = code;
    this.exitCode = exitCodeOf[errorCatalogue[code].kind];
    this.explanation = explanation;
  }
}

/**
 * The kit was used wrongly: options, config, patterns, a remote target. Exit code 2.
 *
 * @example
 * throw new UsageError('SW_URL_INVALID', { received: '"foo" is not a URL', valid: '...', next: '...' });
 */
export class UsageError extends SeaworthyError {
  override readonly name = 'UsageError';
  constructor(code: CodeOf<'usage'>, explanation: Explanation, options?: ErrorOptions) {
    super(code, explanation, options);
  }
}

/** The target could not be tested. Exit code 3. */
export class TargetError extends SeaworthyError {
  override readonly name = 'TargetError';
  constructor(code: CodeOf<'target'>, explanation: Explanation, options?: ErrorOptions) {
    super(code, explanation, options);
  }
}

/** A bug of the kit itself. Exit code 70. */
export class KitError extends SeaworthyError {
  override readonly name = 'KitError';
  constructor(code: CodeOf<'kit'>, explanation: Explanation, options?: ErrorOptions) {
    super(code, explanation, options);
  }
}

function explained({ received, valid, next }: Explanation): string {
  return [received, ...(valid === undefined ? [] : [`  valid: ${valid}`]), `  do:    ${next}`].join('\n');
}

const headings: Readonly<Record<ErrorKind, string>> = {
  usage: 'The command was used wrongly',
  target: 'The target could not be tested',
  kit: 'A fault of the kit itself',
};

/** docs/errors.md: every code with when it comes, made from the catalogue. */
export function errorsDocument(): string {
  const kinds = (['usage', 'target', 'kit'] as const).map((kind) => {
    const own = Object.entries(errorCatalogue).filter(([, entry]) => entry.kind === kind);
    const lines = own.map(([code, { when }]) => `- \`${code}\`: ${when}`);
    return `## ${headings[kind]} (exit code ${exitCodeOf[kind]})\n\n${lines.join('\n')}`;
  });
  return `${[preamble, ...kinds].join('\n\n')}\n`;
}

const preamble = `# Errors

Every error says what was received, what is valid, what to do, and its code. A code keeps its meaning for ever and is
never reused, so your scripts can rely on it. This page is made from the catalogue in
\`runner/errors.ts\` (\`npm run docs\`).

What a run finds out about its target is not an error. It is in the report.`;

/** The system's codes of what keeps anybody from writing there: a full disk, a quota, a file system that takes nothing. */
const unwritable: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG', 'EIO', 'ENXIO', 'EPIPE']);

/** Whether something could not be written because of where it was to go: no fault of the kit. */
export function isUnwritable(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && unwritable.has(String(error.code));
}

interface Described extends Pick<KitErrored, 'message' | 'stack' | 'code'> {}

/** What was thrown, as an event holds it. */
export function described(error: unknown): Described {
  if (!(error instanceof Error)) return { message: String(error) };
  if (isUnwritable(error)) return { message: error.message, code: 'SW_REPORT_WRITE' };
  return { message: error.message, ...(error.stack !== undefined && { stack: error.stack }) };
}
