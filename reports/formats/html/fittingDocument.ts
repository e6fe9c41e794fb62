import type { ReportDocument } from '../../model/document.ts';
import { isCaught, type ReportedBody, type ReportedExchange, type Counterexample } from '../../model/exchange.ts';
import { jsonLine } from '../../text/jsonText.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** Characters of JSON that the page has room for beside its program and style. */
const room = 600_000;

/** Characters of a body that are kept, ever fewer. */
const limits = [65_536, 16_384, 4096, 1024, 256] as const;

/**
 * The same document as far as the page shows it. Of the exchanges of a case only the last one is shown in full, so that the
 * others keep neither headers nor bodies; where it is still too much, bodies are cut off.
 */
export function fittingDocument(document: ReportDocument): ReportDocument {
  const [first, ...smaller] = limits;
  return smaller.reduce(
    (found, limit) => (jsonLine(found).length <= room ? found : cutDocument(document, limit)),
    cutDocument(document, first),
  );
}

function cutDocument(document: ReportDocument, limit: number): ReportDocument {
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

function cutSummary(summary: RunSummary, limit: number): RunSummary {
  const { search, control } = summary;
  return {
    ...summary,
    checks: summary.checks.map(({ counterexample, ...check }) => ({
      ...check,
      ...(counterexample && { counterexample: cutCase(counterexample, limit) }),
    })),
    ...(control && { control: { ...control, attempt: cutExchange(control.attempt, limit) } }),
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

function cutCase(told: Counterexample, limit: number): Counterexample {
  const { attempts, twin, ...rest } = told.exchange;
  const last = attempts.length - 1;
  return {
    ...told,
    curl: told.curl.length > limit * 2 ? '' : told.curl,
    exchange: {
      ...rest,
      attempts: attempts.map((each, index) => (index === last ? cutExchange(each, limit) : brief(each))),
      ...(twin && { twin: cutExchange(twin, limit) }),
    },
  };
}

/** What a line of a list says of it. */
function brief(exchange: ReportedExchange): ReportedExchange {
  const { method, url, body } = exchange.request;
  const request = { method, url, headers: [], body: { bytes: body.bytes, sha256: body.sha256 } };
  if (isCaught(exchange) || exchange.answer.kind !== 'answered') return { ...exchange, request };
  return { ...exchange, request, answer: { ...exchange.answer, headers: [], body: '' } };
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
