import type { JSX } from 'preact';

import { isCaught, type ReportedAttempt, type ReportedExchange, type Counterexample } from '../../../model/exchange.ts';
import { amount, duration, grouped } from '../../../text/amount.ts';
import { answerText, exchangeAnswer } from '../../terminal/answerText.ts';
import { ExchangeView } from './exchangeView.tsx';
import { shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

type Target = RunSummary['target'];

/** What went over the wire in a case: all of it in short, the decisive exchange in full beside its neighbour. */
export function CaseExchanges({ told, target }: { told: Counterexample; target: Target }): JSX.Element {
  const { attempts, twin, difference, effects = [] } = told.exchange;
  const decisive = attempts.at(-1);
  return (
    <>
      {attempts.length > 1 && told.timeline === undefined && <Sequence attempts={attempts} target={target} />}
      {decisive && <h4>{attempts.length > 1 ? 'The last of them, in full' : 'Over the wire'}</h4>}
      {decisive && (
        <ExchangeView
          exchange={decisive}
          kind={target.kind}
          {...(twin && { twin })}
          {...(difference !== undefined && { difference })}
        />
      )}
      {effects.map(({ id, expected, actual }) => (
        <p key={id} class="effects">
          Effects of <code>{shown(id)}</code>: <b>{grouped(actual)}</b> counted, {grouped(expected)} expected.
        </p>
      ))}
    </>
  );
}

/** Most exchanges that are listed; what is left out stands between the first and the last ones. */
const few = 24;

function Sequence({ attempts, target }: { attempts: readonly ReportedExchange[]; target: Target }): JSX.Element {
  const start = attempts.find(({ at }) => at !== undefined)?.at ?? 0;
  const rows = attempts.map((exchange, index) => ({ exchange, number: index + 1 }));
  const left = rows.length - few;
  const listed = left > 0 ? [...rows.slice(0, few / 2), ...rows.slice(-few / 2)] : rows;
  return (
    <>
      <h4>In the order of time</h4>
      <ol class="sequence">
        {listed.map(({ exchange, number }) => (
          <li key={number} value={number}>
            {lineOf(exchange, attempts[number - 2], start, target)}
          </li>
        ))}
      </ol>
      {left > 0 && (
        <p class="note">
          {amount(left, 'exchange')} between them {left === 1 ? 'is' : 'are'} left out here.
        </p>
      )}
    </>
  );
}

function lineOf(
  exchange: ReportedExchange,
  before: ReportedExchange | undefined,
  start: number,
  { address }: Target,
): string {
  const { method, url, body } = exchange.request;
  const when = exchange.at === undefined ? '' : `at ${duration(exchange.at - start)}: `;
  if (isCaught(exchange)) return shown(`${when}delivery, attempt ${exchange.number}: ${exchangeAnswer(exchange)}`);
  const same = before?.request.body.sha256 === body.sha256 && body.bytes > 0 ? ', the same bytes' : '';
  const where = url === address ? '' : ` ${url.startsWith(`${address}/`) ? url.slice(address.length) : url}`;
  return shown(`${when}${method}${where}, ${amount(body.bytes, 'byte')}${same}: ${answered(exchange)}`);
}

function answered({ answer }: ReportedAttempt): string {
  return answer.kind === 'answered' ? `answered ${answerText(answer)}` : `answer ${answerText(answer)}`;
}
