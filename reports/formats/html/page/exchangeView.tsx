import type { JSX } from 'preact';

import { comparedHeaders } from '../../../model/comparedHeaders.ts';
import { isCaught, type ReportedAnswer, type ReportedExchange } from '../../../model/exchange.ts';
import { tellingHeaders } from '../../../text/tellingHeaders.ts';
import { answerText, exchangeAnswer } from '../../terminal/answerText.ts';
import { type Neighbour, neighbourOf } from '../../terminal/neighbour.ts';
import { BodyView } from './bodyView.tsx';
import { HeaderList } from './headerList.tsx';
import { shown } from './shown.ts';
import type { TargetKind } from '../../../model/events.ts';

interface Props {
  exchange: ReportedExchange;
  kind: TargetKind;
  twin?: ReportedExchange;
  difference?: string;
}

/** One exchange in full, beside its accepted neighbour where there is one, with what differs marked in both. */
export function ExchangeView({ exchange, kind, twin, difference }: Props): JSX.Element {
  const neighbour = twin && neighbourOf(twin, kind);
  const comparable = twin && isCaught(twin) === isCaught(exchange) ? neighbour : undefined;
  return (
    <div class="exchange">
      {neighbour && (
        <p class="differs">
          It differs from {shown(neighbour.whole)}
          {difference !== undefined && (
            <>
              , in one thing{neighbour.ownId && ' beside the id'}: <b>{shown(difference)}</b>
            </>
          )}
          .
        </p>
      )}
      <Request exchange={exchange} neighbour={comparable} />
      <BodyView body={exchange.request.body} {...(comparable && { neighbour: comparable })} />
      <Answer exchange={exchange} kind={kind} />
    </div>
  );
}

function Request({
  exchange,
  neighbour,
}: {
  exchange: ReportedExchange;
  neighbour: Neighbour | undefined;
}): JSX.Element {
  const { request, from } = exchange;
  return (
    <div class="message">
      <h5>{isCaught(exchange) ? `Delivery, attempt ${exchange.number}, as the kit received it` : 'Request'}</h5>
      <p class="first-line">
        <b>{shown(request.method)}</b> {shown(request.url)}
        {from !== undefined && <span class="note"> from {shown(from)}</span>}
      </p>
      <HeaderList headers={comparedHeaders(request, neighbour)} {...(neighbour && { neighbour })} />
      {request.wire !== undefined && request.wire.length > 0 && (
        <ol class="wire">
          {request.wire.map((step, index) => (
            <li key={index}>{shown(step)}</li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Answer({ exchange, kind }: { exchange: ReportedExchange; kind: TargetKind }): JSX.Element {
  if (isCaught(exchange)) {
    return (
      <div class="message">
        <h5>Answer of the kit's endpoint</h5>
        <p class="first-line">{exchangeAnswer(exchange)}</p>
      </div>
    );
  }
  const { answer } = exchange;
  return (
    <div class="message answer">
      <h5>Answer of the {kind}</h5>
      <p class="first-line">{answerText(answer)}</p>
      {answer.kind === 'answered' && <Answered answer={answer} />}
    </div>
  );
}

function Answered({ answer }: { answer: Extract<ReportedAnswer, { kind: 'answered' }> }): JSX.Element {
  const headers = tellingHeaders(answer.headers).map(([name, value]) => ({ name, value, mark: 'same' as const }));
  return (
    <>
      <HeaderList headers={headers} />
      {answer.body.trim() !== '' && (
        <pre tabIndex={0} role="group" aria-label="Body of the answer">
          <code>{shown(answer.body)}</code>
        </pre>
      )}
    </>
  );
}
