import type {
  Counterexample,
  ReportedAnswer,
  ReportedAttempt,
  ReportedBody,
  ReportedCaught,
  ReportedExchange,
  ReportedRequest,
} from './exchange.ts';
import { either, list, number, object, oneOf, pair, text, type Form } from './form.ts';
import type { Moment } from './processEvents.ts';

const changes = ['started', 'killed', 'stopping', 'stopped', 'paused', 'resumed', 'died', 'lost', 'returned'] as const;

export const change = oneOf(...changes);

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
    { cut: number, deep: oneOf(true) },
  ),
  broken: object<AnswerOf<'broken'>>({ kind: oneOf('broken'), code: text, ms: number }, {}),
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

export const exchange = either<ReportedExchange>((value) => ('caught' in value ? caught : attempt));

const effects = list(
  object<{ id: string; expected: number; actual: number }>({ id: text, expected: number, actual: number }, {}),
);

export const counterexample = object<Counterexample>(
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
