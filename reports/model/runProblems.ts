import type { KitErrored, ProbeFailed, ProcessChanged, TargetLost } from './events.ts';
import { amount } from '../text/amount.ts';
import { unanswered, type Unanswered, unexplainedDeaths } from './exitCode.ts';
import { missingParts, partsText, unobservedRequired } from './requirementOutcome.ts';
import type { RequirementResult, RunSummary } from './runSummary.ts';

/** What ended a run early or went wrong in the kit itself: nothing that one check could say. */
export interface RunProblem {
  readonly title: string;
  readonly text: string;
}

/** The problems of a run as a whole, the gravest last; none where it came to its end. */
export function runProblems(summary: RunSummary): readonly RunProblem[] {
  const { lost, errors, interrupted, ended, probeFailed } = summary;
  const unobserved = unobservedRequired(summary);
  const missing = summary.run.shard === undefined ? missingParts(summary.leftOut ?? []) : [];
  const deaths = lost === undefined ? unexplainedDeaths(summary) : [];
  const unread = lost === undefined ? unanswered(summary) : undefined;
  const requiredTitle = `the run did not observe ${amount(unobserved.length, 'required requirement')}`;
  return [
    ...problem(unobserved.length > 0, requiredTitle, () => unobservedText(unobserved, summary)),
    ...(probeFailed ? [probeProblem(probeFailed)] : []),
    ...(unread ? [unansweredProblem(unread, summary)] : []),
    ...(deaths.length > 0 ? [deathProblem(deaths, summary)] : []),
    ...(lost ? [lostProblem(lost, summary)] : []),
    ...errors.map((error) => errorProblem(error, summary)),
    ...problem(interrupted, 'the run was interrupted', () =>
      ['What had not ended by then was not observed.', ...goingOn(summary)].join(' '),
    ),
    ...problem(
      missing.length > 0,
      `${partsText(missing)} of the run ${missing.length === 1 ? 'is' : 'are'} missing`,
      () => 'Merge the journals of all parts: what the others were given is not observed here.',
    ),
    ...problem(!ended, 'the run has no end', () => killedText(summary)),
  ];
}

function problem(isThere: boolean, title: string, text: () => string): readonly RunProblem[] {
  return isThere ? [{ title, text: text() }] : [];
}

/** What cannot be written where it was to go is no fault of the kit. */
function errorProblem({ where, message, stack, code }: KitErrored, { kit }: RunSummary): RunProblem {
  if (code === undefined) return { title: `a fault of ${kit.name} itself, in ${where}`, text: stack ?? message };
  const advice = 'Make room, or choose another path. What was seen stands in the other reports.';
  return { title: `not everything could be written: ${where} (${code})`, text: `${message}\n${advice}` };
}

function probeProblem({ reason, advice }: ProbeFailed): RunProblem {
  return { title: 'the probe failed, and effects that it did not show were not judged', text: `${reason}\n${advice}` };
}

function lostProblem(lost: TargetLost, summary: RunSummary): RunProblem {
  const text = [lost.reason, lost.advice, ...lastWords(lost, summary)].join('\n');
  return { title: 'the target could not be tested to the end', text };
}

/** That much was not observed because what came back could not be judged. */
function unansweredProblem({ control, musts }: Unanswered, { target }: RunSummary): RunProblem {
  const ids = musts.map(({ id }) => id).join(', ');
  const what = [
    ...(control === undefined ? [] : [`Not even the plain request that a run begins with got one.`]),
    ...(musts.length === 0 ? [] : [`What was asked for ${ids} got none.`]),
  ];
  const text = `An answer can be judged where the ${target.kind} ends it: it may neither break the connection nor exceed --max-answer or --max-depth. ${what.join(' ')} See the reasons of the checks.`;
  return { title: `the ${target.kind} gave too few answers that can be judged`, text };
}

/** What `--require` names and the run did not observe, each with the reason of the first check that has one. */
function unobservedText(rows: readonly RequirementResult[], { checks }: RunSummary): string {
  const lines = rows.map(({ id, checks: own }) => {
    const reason = checks.find((check) => own.includes(check.id) && check.reason !== undefined)?.reason;
    return `${id}: ${reason ?? (own.length === 0 ? 'no check of it was selected' : 'its checks failed over other requirements')}`;
  });
  return ['--require says that they have to be observed.', ...lines].join('\n');
}

/** That a target ended or went away, and that no case that was under way brought it about again when it was tried alone. */
function deathProblem(deaths: readonly ProcessChanged[], { target }: RunSummary): RunProblem {
  const times = deaths.length === 1 ? 'once' : `${deaths.length} times`;
  const alone = 'What was under way then was tried again alone, and did not';
  const advice = `Look at what the ${target.kind} wrote last: a timer, memory that grows, or requests that meet each other.`;
  if (deaths.some(({ change }) => change === 'died')) {
    const text = `It ended ${times} although nobody asked for it, and served again later. ${alone} end it. ${advice}`;
    return { title: 'the target died, and what of is not known', text };
  }
  const text = `Connections to it failed ${times}, and it served again later. ${alone} bring it about. If the ${target.kind} reloads or only listens anew, turn that off for this run. Otherwise it may have ended and been started again. ${advice}`;
  return { title: 'the target went away, and why is not known', text };
}

/** How what is left is tested; a search begins anew. */
function goingOn({ search }: RunSummary): readonly string[] {
  return search === undefined ? ['To go on, give the same command with --resume <journal>.'] : [];
}

/** What is known of a run that was killed: also what it was at. */
function killedText(summary: RunSummary): string {
  const { pending, search } = summary;
  const what = pending.length === 0 ? 'No check was under way.' : `Begun, and not at its end: ${pending.join(', ')}.`;
  return `It was killed: this report is incomplete, and holds what was seen until then. ${[...shrinkingText(search), what, ...goingOn(summary)].join(' ')}`;
}

/** What a search was at when it was killed. */
function shrinkingText(search: RunSummary['search']): readonly string[] {
  const { shrinking = 0 } = search?.figures ?? {};
  if (shrinking === 0) return [];
  return [
    `It had seen ${amount(shrinking, 'failure')} that it was shrinking, and could not report ${shrinking === 1 ? 'it' : 'them'}.`,
  ];
}

/** Lines of a target's output that say why it was lost. */
const fewLines = 15;

/** What a target that the kit started said last, as lines, where the reason does not hold them already. */
function lastWords({ reason }: TargetLost, { said }: RunSummary): readonly string[] {
  if (said === undefined) return [];
  const { tail, file } = said;
  const last = tail.slice(-fewLines);
  const where = file === undefined ? [] : [`All that it wrote is in ${file}.`];
  if (last.every((line) => reason.includes(line))) return where;
  return ['It wrote last:', ...last.map((line) => `  ${line}`), ...where];
}
