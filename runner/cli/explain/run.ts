import { citation } from '../../../reports/text/citation.ts';
import { shellWord } from '../../../reports/curl/shell.ts';
import type { Explained, Explanations } from '../../../reports/model/document.ts';
import type { Contract } from '../../../spec/contract.ts';
import { didYouMean, nearest } from '../../../spec/nearest.ts';
import { shippedContracts } from '../../../spec/shippedContracts.ts';
import { applicable } from '../../../suites/applicable.ts';
import { caughtChecks } from '../../../suites/caught/checks.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { errorCatalogue, exitCodeOf, UsageError } from '../../errors.ts';
import { openContract } from '../../options/openContract.ts';
import { type CommandInput, runExitCodes } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { faultsOf } from '../lazyReference.ts';
import { programOf } from '../programEnvironment.ts';
import { indented } from '../../../reports/formats/terminal/page.ts';
import { explainOptions } from './command.ts';
import { findings } from '../../../reports/model/findings.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** Ids are found whatever the case of their letters. */
type Entries = ReadonlyMap<string, () => Explained>;

/** What `seaworthy explain` does. @returns the exit code */
export async function explain(input: CommandInput): Promise<number> {
  const { argument, programEnvironment } = input;
  const { stdout } = programEnvironment;
  const settings = commandSettings(explainOptions, input);
  const contract = openContract(settings);
  const faults = await faultsOf(contract);
  const entries = entriesOf(contract, faults);
  const found = argument === undefined ? undefined : [...entries.keys()].find((id) => sameId(id, argument));
  if (found === undefined) throw unknownId(argument, entries, otherContract(argument, faults));
  const { title, parts } = entries.get(found)!();
  stdout.write(`${title}\n`);
  const program = programOf(programEnvironment);
  for (const [heading, texts] of parts) {
    if (texts.length === 0) continue;
    const [first, rest] = texts.length > 1 ? ['  - ', '    '] : ['  ', '  '];
    const lines = texts.map((text) =>
      indented(text.replace(/^seaworthy /, `${program} `), stdout.columns, rest, first),
    );
    stdout.write(`\n${heading}\n${lines.join('\n')}\n`);
  }
  return 0;
}

function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** All that can be explained, by its id. @param faults - what {@link faultsOf} says of the contract */
export function entriesOf(contract: Contract, faults: Faults): Entries {
  const { requirements, gaps, assumptions } = contract;
  const checks = [...applicable(contract, receiverChecks), ...applicable(contract, serviceChecks), ...caughtChecks];
  return new Map<string, () => Explained>([
    ...requirements.map(({ id }) => [id, () => ofRequirement(contract, faults, id)] as const),
    ...checks.map((check) => [check.id, () => ofCheck(contract, check)] as const),
    ...gaps.map(({ id }) => [id, () => ofGap(contract, id)] as const),
    ...assumptions.map(({ key, gap }) => [key, () => ofGap(contract, gap)] as const),
    ...Object.keys(errorCatalogue).map((code) => [code, () => ofError(code as keyof typeof errorCatalogue)] as const),
    ...runExitCodes.map(([code, when]) => [String(code), () => ofExitCode(code, when)] as const),
  ]);
}

type Faults = Awaited<ReturnType<typeof faultsOf>>;

type Explainable = Pick<
  (typeof receiverChecks | typeof serviceChecks | typeof caughtChecks)[number],
  'id' | 'title' | 'requirements' | 'hint'
>;

function ofRequirement(contract: Contract, faults: Faults, id: string): Explained {
  const { level, section, statement, reason, subject } = contract.requirements.find((each) => each.id === id)!;
  const all: readonly Explainable[] = [...applicable(contract, receiverChecks), ...applicable(contract, serviceChecks)];
  const checks = all.filter(({ requirements }) => requirements.some((each) => each === id));
  return {
    title: `${id}: a ${level.toUpperCase()} for a ${subject}, ${citation(section)}`,
    parts: [
      ['What', [statement]],
      ['Why', reason === undefined ? [] : [reason]],
      ['How it is tested', checks.map((check) => `${check.id}: it ${check.title}`)],
      ['How a failure is usually fixed', [...new Set(checks.map(({ hint }) => hint))]],
      ['How it is broken', mistakes(faults, id)],
    ],
  };
}

/** What the checks are tested with: the mistakes that are about this requirement, or else those that break it as well. */
function mistakes(faults: Faults, requirement: string): readonly string[] {
  const own = faults.filter(([, { breaks }]) => breaks[0] === requirement);
  const beside = faults.filter(([, { breaks }]) => breaks.includes(requirement));
  return (own.length > 0 ? own : beside).map(([, { summary }]) => summary);
}

function ofCheck({ name, requirements: known }: Contract, { id, title, requirements, hint }: Explainable): Explained {
  const contract = name === shippedContracts[0] ? '' : ` --contract ${shellWord(name)}`;
  const proven = known.filter((each) => requirements.some((one) => one === each.id));
  return {
    title: id,
    parts: [
      ['What passes', [`A target that ${title}.`]],
      ['What it proves', proven.map((each) => `${each.id}, a ${each.level.toUpperCase()}: ${each.statement}`)],
      ['How a failure is usually fixed', [hint]],
      [
        'How to run it alone',
        [`seaworthy ${id.startsWith('caught/') ? 'listen' : `${id.split('/')[0]} <url>`} --only ${id}${contract}`],
      ],
    ],
  };
}

function ofGap({ gaps, assumptions }: Contract, id: string): Explained {
  const { section, statement } = gaps.find((gap) => gap.id === id)!;
  const filled = assumptions.filter(({ gap }) => gap === id);
  return {
    title: `${id}: a gap of the contract, ${citation(section)}`,
    parts: [
      ['What is left open', [statement]],
      ['What the kit does', ['Nothing fails because of it. What the target does there is reported as an observation.']],
      [
        'What is assumed',
        filled.map(
          (each) => `${each.key} = ${each.default}: ${each.statement} Change it with --assume ${each.key}=...`,
        ),
      ],
    ],
  };
}

function ofError(code: keyof typeof errorCatalogue): Explained {
  const { kind, when } = errorCatalogue[code];
  const turn = {
    usage: 'Correct the command, and run it again.',
    target: 'Look at the target: does it run, and what does it write?',
    kit: 'Report this bug of seaworthy, with the command and the journal.',
  }[kind];
  return {
    title: `${code}: exit code ${exitCodeOf[kind]}`,
    parts: [
      ['When it comes', [when]],
      ['What to do', [`${turn} The error says what was received, what is valid and what to do next.`]],
    ],
  };
}

/** What the user does next, by the exit code of a run. */
const afterExit: Readonly<Record<(typeof runExitCodes)[number][0], string>> = {
  0: 'Nothing has to be fixed. See in the report what was not observed, and which options would show it.',
  1: 'Read the first lines of the report: they say what is broken and what to do first. Below them stands the smallest case of each failure.',
  2: 'Read the error: it says what was received, what is valid and what to do next.',
  3: 'See whether the target runs at that address, and whether the secret or the API key is right. The first lines of the report say what was missing.',
  70: 'Report the bug, with the command, the message and the journal.',
  130: 'To go on, give the same command with --resume <journal>. A search begins anew.',
};

function ofExitCode(code: keyof typeof afterExit, when: string): Explained {
  return {
    title: `exit code ${code} of receiver, service, fuzz and replay`,
    parts: [
      ['What it means', [`${when[0]?.toUpperCase()}${when.slice(1)}.`]],
      ['What to do', [afterExit[code]]],
      ['Exit codes of the other commands', ['seaworthy <command> --help lists them.']],
    ],
  };
}

/** The name of a contract that ships with the kit and knows the id. */
function otherContract(id: string | undefined, faults: Faults): string | undefined {
  return shippedContracts.find((name) => {
    try {
      const known = [...entriesOf(openContract({ contract: name }), faults).keys()];
      return id !== undefined && known.some((each) => sameId(each, id));
    } catch (error) {
      // A document of somebody else, which is not installed.
      if (error instanceof UsageError) return false;
      throw error;
    }
  });
}

const codes = runExitCodes.map(([code]) => String(code));

const explainable = `a requirement, a check, a gap, an assumption, an error code or an exit code (${codes.join(', ')})`;

/** What it was meant to be, perhaps. One exit code is like no other: a digit says everything. */
function resembling(argument: string, ids: Iterable<string>): string | undefined {
  const words = [...ids].filter((id) => !codes.includes(id));
  const near = nearest(argument, words);
  const isPart = near.length === 0 && argument.length > 2;
  const around = words.filter((id) => isPart && id.toLowerCase().includes(argument.toLowerCase()));
  return didYouMean([...near, ...around.slice(0, 3)]);
}

/** @param contract - the name of another one that knows the id */
function unknownId(argument: string | undefined, entries: Entries, contract: string | undefined): UsageError {
  if (argument === undefined) {
    return new UsageError('SW_ARGUMENT_MISSING', {
      received: 'explain was given no id',
      valid: explainable,
      next: 'seaworthy explain VRF-3',
    });
  }
  return new UsageError('SW_ID_UNKNOWN', {
    received: `there is nothing to explain of the name ${JSON.stringify(argument)}`,
    valid: explainable,
    next:
      contract === undefined
        ? (resembling(argument, entries.keys()) ??
          'see seaworthy requirements, docs/errors.md of the package, or add --contract where the id is of another contract')
        : `name a contract that has it: seaworthy explain ${argument} --contract ${contract}`,
  });
}

/**
 * What `seaworthy explain` says of each requirement that a run found broken.
 *
 * @returns nothing of a contract that is not there, or is another one than that of the run by now
 */
export async function explainBroken(summary: RunSummary): Promise<Explanations> {
  const broken = new Set(findings(summary).flatMap((found) => found.broken.map(({ id }) => id)));
  const contract = broken.size === 0 ? undefined : contractOf(summary);
  if (contract === undefined) return {};
  const entries = entriesOf(contract, await faultsOf(contract));
  return Object.fromEntries([...broken].flatMap((id) => (entries.has(id) ? [[id, entries.get(id)!()]] : [])));
}

function contractOf({ contract: { name, digest } }: RunSummary): Contract | undefined {
  try {
    const contract = openContract({ contract: name });
    return contract.digest === digest ? contract : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
