import { fatalOf, type ServiceCheck, type ServiceFinding } from '../../suites/check.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import { finding } from '../../suites/finding.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Exchange } from '../../suites/exchange.ts';
import { type Traits, distinct, headerTraits } from '../engine/agreement.ts';
import type { Activity } from '../engine/activity.ts';
import type { GeneratedCase } from '../engine/cases.ts';
import type { OpenCase } from '../engine/side.ts';
import { type BrokenTrial, doubted, type Trial } from '../engine/trial.ts';
import { noAnswerTo, shownFinding } from './answers.ts';
import { ServiceCaseKit } from './serviceKit.ts';
import type { ServiceContext } from './serviceContext.ts';
import { textAt } from './located.ts';
import type { Place } from './room.ts';
import { parseDuration } from '../../spec/units.ts';
import type { RunState } from './runState.ts';
import { deliveryTimeout } from './settlingTime.ts';

interface Opening {
  /** Where the case gets its place. */
  readonly activity: Activity;
  /** How it ended when it was tried before. */
  readonly before: readonly Trial<ServiceFinding>[];
}

const neverAnswered =
  'The handler ended without an answer, as after an error in an async function that nobody catches, or waits for something that ' +
  'does not come. Other calls of this operation were answered: look at what is different in this one. Let every error be answered. ' +
  'If the service is merely slow, give --timeout.';

/** One try of a case of a service. */
export class OpenServiceCase implements OpenCase<ServiceFinding> {
  readonly #context: ServiceContext;
  readonly #check: ServiceCheck;
  readonly #generated: GeneratedCase;
  readonly #kit: ServiceCaseKit;
  /** When it was opened, in milliseconds of the run. */
  readonly #from: number;
  readonly #crowdedOut: number;
  readonly #how: Opening;
  #place: Place | undefined;

  constructor(context: ServiceContext, check: ServiceCheck, generated: GeneratedCase, how: Opening) {
    this.#context = context;
    this.#check = check;
    this.#generated = generated;
    this.#how = how;
    this.#kit = new ServiceCaseKit(context, { check: check.id, case: generated.index }, how.activity, this.#isAgain);
    this.#from = context.elapsed();
    this.#crowdedOut = context.catcher.crowdedOut;
  }

  get #isAgain() {
    return this.#how.before.length > 0;
  }

  get waitingSince() {
    return this.#kit.caller.idleSince;
  }

  get answers() {
    return this.#kit.exchanges.flatMap((exchange) => (exchange.kind === 'call' ? [exchange.answer] : []));
  }

  async run(): Promise<ServiceFinding | undefined> {
    this.#place = await this.#context.room.enter(this.#check.id, this.#how.activity);
    return this.#check.run(this.#kit, this.#generated.value);
  }

  get traits() {
    return traitsOf(this.#kit.exchanges, this.#context.plan.contract);
  }

  fatal(conclusion: Pick<ServiceFinding, 'expected' | 'actual' | 'absence' | 'died' | 'hung'>): ServiceFinding {
    return finding(fatalOf(this.#check, 'service'), { ...conclusion, exchanges: this.#kit.exchanges.slice(-3) });
  }

  async close(tried: Trial<ServiceFinding>): Promise<Trial<ServiceFinding>> {
    const shown = tried.kind === 'broken' ? { ...tried, finding: shownFinding(tried.finding) } : tried;
    const late = this.#context.lateness.within(this.#from, this.#context.elapsed());
    this.#kit.learning.tellTimes(late > 0);
    const trial = this.#place ? await this.#context.room.leave(this.#place, shown, this.#kit) : shown;
    noteWait(this.#context, this.#kit.exchanges, late);
    if (trial !== shown) return trial;
    if (hangsOnTime(trial)) {
      const timeout = awaitedAnswer(this.#context);
      const together = this.#context.lateness.within(this.#from, this.#context.elapsed(), timeout);
      // Half of that brings nothing about: an answer that is so late is still in time.
      if (together > timeout / 2) return inDoubt(trial, together);
    }
    if (this.#context.catcher.crowdedOut !== this.#crowdedOut) return unseen(trial);
    const seen = this.#isHurried(trial) ? this.#hurried(trial) : this.#unanswered(trial);
    return this.#hopeless(late > 0 ? doubted(seen) : this.#silent(seen));
  }

  /** Whether an answer may have come to what it shows, if it had been awaited in all of its time. */
  #isHurried(trial: Trial<ServiceFinding>): trial is BrokenTrial<ServiceFinding> {
    if (trial.kind !== 'broken') return false;
    const shown = trial.finding.exchanges.flatMap((exchange) => (exchange.kind === 'call' ? [exchange.answer] : []));
    const answers = this.#isAgain ? shown : this.answers;
    return answers.some(isHurried);
  }

  #hurried({ finding: found, ...trial }: BrokenTrial<ServiceFinding>): Trial<ServiceFinding> {
    if (this.#isAgain)
      return { kind: 'unproven', reason: 'an answer was not awaited in all of its time', final: false };
    return doubted({ ...trial, finding: { ...found, absence: true } });
  }

  /** What is not answered a second time either, though other calls of the same operation were, is neither done nor refused. */
  #unanswered(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    const { answered, answerTimes } = this.#context;
    if (trial.kind !== 'unproven' || !answerTimes.mayHurry) return trial;
    const calls = this.#kit.exchanges.filter((exchange) => exchange.kind === 'call');
    // What else has no answer may be what the case needed before.
    const call = calls.find(({ answer, request }) => isMissing(answer) && trial.reason === noAnswerTo(request, answer));
    if (call === undefined) return trial;
    const wasUnanswered = this.#how.before.some(({ kind, unanswered }) => kind === 'unproven' && unanswered);
    if (!wasUnanswered || isHurried(call.answer) || !answered.has(call.request.operationId))
      return { ...trial, unanswered: true };
    const [requirement] = this.#check.requirements;
    const actual = describeAnswer(call.answer);
    const shown = { exchanges: [call], expected: 'an answer', actual, hint: neverAnswered };
    return { kind: 'broken', finding: finding(requirement, shown) };
  }

  timelineOf(finding: ServiceFinding) {
    return this.#kit.timelineOf(finding);
  }

  /** Where the service has not sent anything in the whole run, waiting once more would only take time. */
  #silent(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    const final = trial.kind === 'unproven' && this.#context.deliveryLog.newest === 0;
    return final ? { ...trial, final } : trial;
  }

  /** Each case that waits for what does not come takes its time, and the first one has to recur anyway. */
  #hopeless(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    if (trial.kind !== 'broken') return trial;
    const last = trial.finding.exchanges.at(-1);
    const isSilent = last?.kind === 'call' && last.answer.kind === 'timed-out';
    return isSilent || this.#check.needs.includes('process-control') ? { ...trial, unanswered: true } : trial;
  }
}

function isMissing(answer: Answer): boolean {
  return answer.kind === 'timed-out' && answer.status === undefined;
}

function isHurried(answer: Answer): boolean {
  return answer.kind === 'timed-out' && answer.hurried === true;
}

/** Where the catcher had no room for all that came, nobody knows what did not come. */
function unseen(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
  const isOpen = trial.kind !== 'held' && (trial.kind !== 'broken' || trial.finding.died === true);
  if (isOpen) return trial;
  const reason = 'the service sent more to the endpoints of the kit than it keeps, so that not all was looked at';
  return { kind: 'unproven', reason, final: false };
}

/**
 * Whether the kit may have brought it about by being late itself: a delivery that it answered late is broken off, or sent
 * again with good reason. What a whole delivery says is as it is, however late it was heard, and so is a death. So is an
 * absence where nothing was caught: it is awaited for longer where the kit is late ({@link Lateness.extended}).
 */
function hangsOnTime(trial: Trial<ServiceFinding>): trial is BrokenTrial<ServiceFinding> {
  if (trial.kind !== 'broken' || trial.finding.died === true) return false;
  const { absence, hangsOnTime: isMarked, exchanges } = trial.finding;
  const caught = exchanges.filter((exchange) => exchange.kind === 'caught');
  return isMarked ?? (caught.length > 0 && (absence || caught.some(({ bytes }) => bytes < 0)));
}

function inDoubt({ finding }: BrokenTrial<ServiceFinding>, late: number): Trial<ServiceFinding> {
  const reason = `the kit itself was ${late} ms late, so this shows nothing: ${finding.actual}`;
  return { kind: 'unproven', reason, final: false, doubted: true };
}

/** What a case of a service was about, by its calls and what came of them. */
function traitsOf(exchanges: readonly Exchange[], contract: Contract): Traits {
  const calls = exchanges.flatMap((exchange) => (exchange.kind === 'call' ? exchange.request : []));
  return {
    values: {
      event: distinct(
        exchanges.flatMap((each) => (each.kind === 'caught' ? [textAt(each, contract.delivery.event)] : [])),
      ),
      operation: distinct(calls.map(({ operationId }) => operationId)),
      ...headerTraits(calls.map(({ headers }) => headers)),
    },
    bytes: Math.max(0, ...calls.map(({ body }) => body.length)),
    requests: calls.length,
  };
}

/**
 * Notes how long the service was seen to wait for an answer, at least. One that comes slowly may be waited for longer.
 *
 * @param late - milliseconds that the kit was late meanwhile: so much later it may have noticed the end
 */
function noteWait(context: RunState, exchanges: readonly Exchange[], late: number): void {
  for (const exchange of exchanges) {
    if (exchange.kind !== 'caught' || exchange.step.do !== 'hang' || exchange.end?.kind !== 'abandoned') continue;
    context.longestWait = Math.max(context.longestWait, exchange.end.at - exchange.at - late);
  }
}

/** Milliseconds that the service waits for an answer, at least, as far as is known. */
function awaitedAnswer(context: RunState): number {
  const learned = context.learned.get('delivery.timeout');
  return deliveryTimeout(context) ?? (learned === undefined ? context.longestWait : parseDuration(learned));
}
