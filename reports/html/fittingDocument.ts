import type { ReportDocument } from '../document.ts';
import type { Counterexample } from '../events.ts';
import { isCaught, type ReportedBody, type ReportedExchange } from '../exchange.ts';
import type { RunSummary } from '../summary.ts';

/** Characters of JSON that the page has room for beside its program and style. */
const room = 600_000;

/** Characters of the decisive bodies, of those before them, and how many exchanges of a case are kept, ever fewer. */
const limits = [
  { decisive: 65_536, other: 4096, exchanges: 200 },
  { decisive: 16_384, other: 1024, exchanges: 60 },
  { decisive: 4096, other: 256, exchanges: 30 },
  { decisive: 1024, other: 128, exchanges: 10 },
  { decisive: 256, other: 64, exchanges: 4 },
] as const;

type Limit = (typeof limits)[number];

/** The same document, with bodies cut off (and exchanges before the last ones left out) as far as it takes to fit a page. */
export function fittingDocument(document: ReportDocument): ReportDocument {
  const all = limits.map((limit) => () => cutDocument(document, limit));
  const [first = () => document, ...smaller] = all;
  return smaller.reduce((found, cut) => (JSON.stringify(found).length <= room ? found : cut()), first());
}

function cutDocument(document: ReportDocument, limit: Limit): ReportDocument {
  const cut = (summary: RunSummary): RunSummary => cutSummary(summary, limit);
  switch (document.kind) {
    case 'run':
      return { kind: 'run', summary: cut(document.summary) };
    case 'comparison': {
      const { before, after, ...rest } = document.comparison;
      return { kind: 'comparison', comparison: { ...rest, before: cut(before), after: cut(after) } };
    }
    case 'matrix':
      return { kind: 'matrix', summaries: document.summaries.map(cut) };
  }
}

function cutSummary(summary: RunSummary, limit: Limit): RunSummary {
  const { search, control } = summary;
  return {
    ...summary,
    checks: summary.checks.map(({ counterexample, ...check }) => ({
      ...check,
      ...(counterexample && { counterexample: cutCase(counterexample, limit) }),
    })),
    ...(control && { control: { ...control, attempt: cutExchange(control.attempt, limit.other) } }),
    ...(search && {
      search: {
        ...search,
        failures: search.failures.map((failure) => ({
          ...failure,
          counterexample: cutCase(failure.counterexample, limit),
        })),
      },
    }),
  };
}

function cutCase(told: Counterexample, { decisive, other, exchanges }: Limit): Counterexample {
  const { attempts, twin, ...rest } = told.exchange;
  const kept = attempts.slice(-exchanges);
  return {
    ...told,
    curl: told.curl.length > decisive * 2 ? '' : told.curl,
    exchange: {
      ...rest,
      attempts: kept.map((each, index) => cutExchange(each, index === kept.length - 1 ? decisive : other)),
      ...(twin && { twin: cutExchange(twin, decisive) }),
    },
  };
}

function cutExchange(exchange: ReportedExchange, most: number): ReportedExchange {
  const request = { ...exchange.request, body: cutBody(exchange.request.body, most) };
  if (isCaught(exchange) || exchange.answer.kind !== 'answered') return { ...exchange, request };
  const { answer } = exchange;
  const body = answer.body.length > most ? `${answer.body.slice(0, most)}…` : answer.body;
  return { ...exchange, request, answer: { ...answer, body } };
}

function cutBody(body: ReportedBody, most: number): ReportedBody {
  const { text, base64, ...rest } = body;
  return {
    ...rest,
    ...(text !== undefined && { text: text.slice(0, most) }),
    ...(base64 !== undefined && { base64: base64.slice(0, most - (most % 4)) }),
  };
}
