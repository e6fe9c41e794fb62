import type {
  AwaitedFirst,
  CheckFinished,
  Expectation,
  LeftOutCheck,
  ReportedAssumption,
  ReportedCheck,
  ReportedContract,
  ReportedRequirement,
  ReportedSearch,
  Resumed,
  RunEvent,
  RunStarted,
  Shard,
  ShortAnswer,
} from './events.ts';
import type {
  Counterexample,
  ReportedAnswer,
  ReportedAttempt,
  ReportedBody,
  ReportedCaught,
  ReportedExchange,
  ReportedRequest,
} from './exchange.ts';
import { either, flag, type Form, list, number, object, oneOf, pair, text } from './form.ts';
import type { Moment } from './processEvents.ts';

const changes = ['started', 'killed', 'stopping', 'stopped', 'paused', 'resumed', 'died', 'lost', 'returned'] as const;

const change = oneOf(...changes);

const moment = object<Moment>(
  { ms: number, what: oneOf(...changes, 'sent', 'answered', 'broken', 'timed-out', 'note') },
  { id: text, detail: text },
);

const headers = list(pair(text, text));

const body = object<ReportedBody>({ bytes: number, sha256: text }, { text, base64: text, file: text });

const request = object<ReportedRequest>({ method: text, url: text, headers, body }, { id: text, wire: list(text) });

type AnswerOf<Kind> = Extract<ReportedAnswer, { readonly kind: Kind }>;

const answers: { readonly [Kind in ReportedAnswer['kind']]: Form<AnswerOf<Kind>> } = {
  answered: object<AnswerOf<'answered'>>(
    { kind: oneOf('answered'), status: number, headers, body: text, ms: number },
    { cut: number, deep: oneOf(true), surplus: text },
  ),
  broken: object<AnswerOf<'broken'>>({ kind: oneOf('broken'), code: text, ms: number }, { status: number }),
  'timed-out': object<AnswerOf<'timed-out'>>({ kind: oneOf('timed-out'), ms: number }, { status: number, cut: number }),
};

const answer = either<ReportedAnswer>(({ kind }) => (isKind(kind) ? answers[kind] : answers.answered));

function isKind(kind: unknown): kind is ReportedAnswer['kind'] {
  return typeof kind === 'string' && Object.hasOwn(answers, kind);
}

const attempt = object<ReportedAttempt>({ request, answer }, { from: text, skew: number, at: number });

const caught = object<ReportedCaught>(
  { caught: oneOf(true), request, from: text, number, answered: text, at: number },
  {},
);

const exchange = either<ReportedExchange>((value) => ('caught' in value ? caught : attempt));

const effects = list(
  object<{ id: string; expected: number; actual: number }>({ id: text, expected: number, actual: number }, {}),
);

const counterexample = object<Counterexample>(
  {
    summary: text,
    requirements: list(text),
    seed: number,
    path: text,
    expected: text,
    actual: text,
    hint: text,
    exchange: object<Counterexample['exchange']>(
      { attempts: list(exchange) },
      { twin: exchange, difference: text, differsIn: oneOf('signature'), effects },
    ),
    curl: text,
  },
  { died: oneOf(true), timeline: list(moment), file: text },
);

type EventOf<Type> = Extract<RunEvent, { readonly type: Type }>;

const level = oneOf('must', 'should', 'may');
const check = object<ReportedCheck>({ id: text, title: text, requirements: list(text), level }, {});
const requirement = object<ReportedRequirement>(
  { id: text, section: text, level, statement: text },
  { why: text, binding: oneOf(true), required: oneOf(true) },
);
const assumption = object<ReportedAssumption>(
  { gap: text, key: text, value: text, source: oneOf('default', 'option', 'learned') },
  {},
);
const gap = object<NonNullable<ReportedContract['gaps']>[number]>({ id: text, statement: text }, {});
const shortAnswer = object<ShortAnswer>(
  { kind: oneOf('answered', 'broken', 'timed-out'), ms: number },
  { status: number, code: text },
);
const sent = { ms: number, check: text, case: number, bytes: number, digest: text };
const figures = { cases: number, steps: number, distinct: number, corpus: number, failures: number, flaky: number };
const outcome: Form<CheckFinished['outcome']> = oneOf(
  'passed',
  'failed',
  'warned',
  'not-observable',
  'inconclusive',
  'errored',
);

const started = object<RunStarted>(
  {
    type: oneOf('run.started'),
    format: oneOf(1),
    at: text,
    kit: object<RunStarted['kit']>({ name: text, version: text }, {}),
    contract: object<ReportedContract>(
      { title: text, version: text },
      { source: text, name: text, digest: text, leftOut: list(text), gaps: list(gap) },
    ),
    target: object<RunStarted['target']>({ kind: oneOf('receiver', 'service'), address: text }, {}),
    run: object<RunStarted['run']>(
      { id: text, seed: number, intensity: text, strict: flag },
      {
        caughtOnly: oneOf(true),
        concurrency: number,
        timeLimit: number,
        shard: object<Shard>({ index: number, count: number }, {}),
        resumes: object<Resumed>({ id: text, at: text }, {}),
      },
    ),
    command: text,
    checks: list(check),
    requirements: list(requirement),
    assumptions: list(assumption),
  },
  {
    search: object<ReportedSearch>({ untilFailure: flag, feedback: flag }, { time: number, runs: number }),
    expectations: list(object<Expectation>({ id: text, reason: text }, { expires: text, link: text })),
    leftOut: list(object<LeftOutCheck>({ id: text, requirements: list(text) }, { part: number })),
    acceptedStatuses: list(number),
    events: list(text),
  },
);

const awaitedFirst = object<AwaitedFirst>(
  { method: text, path: text, headers, body: text, from: text },
  { signature: object<NonNullable<AwaitedFirst['signature']>>({ header: text, sha256: text }, {}) },
);
const lost = { ms: number, reason: text, advice: text };
const seen = { ms: number, gap: text, value: text, evidence: text };

/** What the events of a journal have to be like. Who adds a member to an event adds its form here: else it does not compile. */
export const eventForms: { readonly [Type in RunEvent['type']]: Form<EventOf<Type>> } = {
  'run.started': started,
  'control.finished': object<EventOf<'control.finished'>>(
    { type: oneOf('control.finished'), ms: number, accepted: flag, attempt: exchange },
    { instead: text },
  ),
  'check.started': object<EventOf<'check.started'>>({ type: oneOf('check.started'), ms: number, check: text }, {}),
  'delivery.finished': object<EventOf<'delivery.finished'>>(
    { type: oneOf('delivery.finished'), ...sent, id: text, event: text, answer: shortAnswer },
    {},
  ),
  'endpoint.opened': object<EventOf<'endpoint.opened'>>(
    { type: oneOf('endpoint.opened'), ms: number, check: text, case: number, url: text },
    {},
  ),
  'retries.awaited': object<EventOf<'retries.awaited'>>(
    {
      type: oneOf('retries.awaited'),
      ms: number,
      check: text,
      case: number,
      url: text,
      id: text,
      attempts: number,
      first: awaitedFirst,
    },
    {},
  ),
  'delivery.caught': object<EventOf<'delivery.caught'>>(
    { type: oneOf('delivery.caught'), ...sent, endpoint: text, id: text, event: text, number, answered: text },
    {},
  ),
  'call.finished': object<EventOf<'call.finished'>>(
    { type: oneOf('call.finished'), ...sent, operationId: text, method: text, path: text, answer: shortAnswer },
    {},
  ),
  'check.finished': object<EventOf<'check.finished'>>(
    { type: oneOf('check.finished'), ms: number, check: text, outcome, cases: number, durationMs: number },
    {
      planned: number,
      untriedKinds: number,
      reason: text,
      unconfirmed: list(text),
      unanswered: oneOf(true),
      counterexample,
      shown: list(text),
    },
  ),
  'fuzz.progressed': object<EventOf<'fuzz.progressed'>>(
    { type: oneOf('fuzz.progressed'), ms: number, ...figures, memory: number },
    { shrinking: number, deliveries: number, calls: number },
  ),
  'fuzz.failed': object<EventOf<'fuzz.failed'>>(
    {
      type: oneOf('fuzz.failed'),
      ms: number,
      check: text,
      cause: text,
      steps: list(text),
      found: number,
      rate: object<EventOf<'fuzz.failed'>['rate']>({ failed: number, tries: number }, {}),
      outcome: oneOf('failed', 'flaky'),
      counterexample,
    },
    { cut: oneOf(true), beside: number, at: number },
  ),
  observed: object<EventOf<'observed'>>({ type: oneOf('observed'), ...seen }, {}),
  learned: object<EventOf<'learned'>>({ type: oneOf('learned'), ...seen, key: text }, {}),
  'opinion.differed': object<EventOf<'opinion.differed'>>(
    {
      type: oneOf('opinion.differed'),
      ms: number,
      operationId: text,
      part: oneOf('request', 'response'),
      kit: text,
      prism: text,
      detail: text,
    },
    {},
  ),
  'opinion.finished': object<EventOf<'opinion.finished'>>(
    { type: oneOf('opinion.finished'), ms: number, compared: number, differed: number },
    {},
  ),
  'left.over': object<EventOf<'left.over'>>({ type: oneOf('left.over'), ms: number, what: list(text) }, {}),
  'life.changed': object<EventOf<'life.changed'>>(
    { type: oneOf('life.changed'), ms: number, check: text, case: number, change },
    { detail: text, said: list(text) },
  ),
  'target.said': object<EventOf<'target.said'>>(
    { type: oneOf('target.said'), ms: number, tail: list(text) },
    { file: text },
  ),
  'target.lost': object<EventOf<'target.lost'>>({ type: oneOf('target.lost'), ...lost }, { kitWords: oneOf(true) }),
  'probe.failed': object<EventOf<'probe.failed'>>({ type: oneOf('probe.failed'), ...lost }, {}),
  'kit.errored': object<EventOf<'kit.errored'>>(
    { type: oneOf('kit.errored'), ms: number, where: text, message: text },
    { stack: text, code: oneOf('SW_REPORT_WRITE') },
  ),
  'run.finished': object<EventOf<'run.finished'>>(
    { type: oneOf('run.finished'), ms: number, at: text, durationMs: number, complete: flag, interrupted: flag },
    { outOfTime: oneOf(true) },
  ),
};
