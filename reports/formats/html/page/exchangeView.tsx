import type { JSX } from 'preact';

import { bodiesWords, comparedRequest } from '../../../model/comparedRequest.ts';
import type { ComparedHeader, ComparedRequest, MeantDifference, CutText } from '../../../model/comparedRequest.ts';
import { isCaught, type ReportedAnswer, type ReportedExchange, type ReportedBody } from '../../../model/exchange.ts';
import { answerText, exchangeAnswer, type Neighbour, neighbourOf, tellingHeaders } from '../../terminal/answerText.ts';
import { shown } from './section.tsx';
import type { TargetKind } from '../../../model/events.ts';
import { bodyText, visible } from '../../../text/visible.ts';
import { amount } from '../../../text/amount.ts';

interface Props {
  exchange: ReportedExchange;
  kind: TargetKind;
  twin?: ReportedExchange;
  meant?: MeantDifference;
}

/** One exchange in full, beside its accepted neighbour where there is one, with what differs marked in both. */
export function ExchangeView({ exchange, kind, twin, meant = {} }: Props): JSX.Element {
  const neighbour = twin && neighbourOf(twin, kind);
  const comparable = twin && isCaught(twin) === isCaught(exchange) ? neighbour : undefined;
  const { difference } = meant;
  const compared = comparedRequest(exchange.request, comparable, meant);
  const beside = comparable && { neighbour: comparable };
  return (
    <div class="exchange">
      {neighbour && (
        <p class="differs">
          It differs from {shown(neighbour.whole)}
          {difference !== undefined && (
            <>
              , in one thing{neighbour.ownId && ' (and the id)'}: <b>{shown(difference)}</b>
            </>
          )}
          .
        </p>
      )}
      <Request exchange={exchange} compared={compared} {...beside} />
      <BodyView body={exchange.request.body} compared={compared} {...beside} />
      <Answer exchange={exchange} kind={kind} />
    </div>
  );
}

/** A request compared with its neighbour, where it has one. */
interface Compared {
  compared: ComparedRequest;
  neighbour?: Neighbour;
}

function Request({
  exchange,
  compared,
  neighbour,
}: Compared & {
  exchange: ReportedExchange;
}): JSX.Element {
  const { request, from } = exchange;
  return (
    <div class="message">
      <h5>{isCaught(exchange) ? `Delivery, attempt ${exchange.number}, as the kit received it` : 'Request'}</h5>
      <p class="first-line">
        <b>{shown(request.method)}</b> {shown(request.url)}
        {from !== undefined && <span class="note"> from {shown(from)}</span>}
      </p>
      <HeaderList headers={compared.headers} {...(neighbour && { neighbour })} />
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

/** The headers of a message; what the neighbour has otherwise, more or less is marked. */
function HeaderList(props: { headers: readonly ComparedHeader[]; neighbour?: Neighbour }): JSX.Element | null {
  const { headers, neighbour } = props;
  if (headers.length === 0) return null;
  return (
    <ul class="headers">
      {headers.map((header, index) => (
        <li key={index} class={header.mark}>
          <b>{shown(header.name)}:</b> {shown(header.value)}
          <Remark header={header} neighbour={neighbour} />
        </li>
      ))}
    </ul>
  );
}

function Remark({
  header,
  neighbour,
}: {
  header: ComparedHeader;
  neighbour: Neighbour | undefined;
}): JSX.Element | null {
  const { mark, other = '' } = header;
  switch (mark) {
    case 'same':
      return null;
    case 'differs':
      return (
        <span class="remark">
          {neighbour?.label}: {shown(other)}
        </span>
      );
    case 'added':
      return <span class="remark">not in {neighbour?.name}</span>;
    case 'left-out':
      return <span class="remark">only in {neighbour?.name}: left out here</span>;
  }
}

/** A body; beside a neighbour both, with the place where they differ marked. */
function BodyView({ body, compared, neighbour }: Compared & { body: ReportedBody }): JSX.Element {
  const twin = neighbour?.request.body;
  const { body: part, bodies } = compared;
  return (
    <div class="message">
      <h5>
        Body, {sizeText(body)}
        {bodies && `, ${bodiesWords[bodies]} ${neighbour?.name ?? ''}`}
      </h5>
      {part && twin && (
        <div class="twins">
          <Cut name={`${neighbour?.name ?? ''} (${amount(twin.bytes, 'byte')})`} cut={part.first} />
          <Cut name="this one" cut={part.second} />
        </div>
      )}
      {part && isLong(part.second) && (
        <details>
          <summary>This body as a whole</summary>
          <Bytes body={body} />
        </details>
      )}
      {part === undefined && body.bytes > 0 && <Bytes body={body} />}
    </div>
  );
}

function Bytes({ body }: { body: ReportedBody }): JSX.Element {
  return (
    <pre tabIndex={0} role="group" aria-label="Body">
      <code>{shown(bodyText(body))}</code>
    </pre>
  );
}

/** Characters of each part that are shown at once. */
const most = 400;

function Cut({ name, cut }: { name: string; cut: CutText }): JSX.Element {
  const { before, changed, after } = cut;
  return (
    <figure>
      <figcaption>{name.charAt(0).toUpperCase() + name.slice(1)}</figcaption>
      <pre tabIndex={0} role="group" aria-label={`Body of ${name}`}>
        <code>
          {before.length > most && '…'}
          {visible(before.slice(-most))}
          <mark>{changed === '' ? <span class="nothing" /> : beginning(changed)}</mark>
          {beginning(after)}
        </code>
      </pre>
    </figure>
  );
}

function beginning(text: string): string {
  return visible(text.slice(0, most)) + (text.length > most ? '…' : '');
}

function isLong({ before, changed, after }: CutText): boolean {
  return Math.max(before.length, changed.length, after.length) > most;
}

function sizeText({ bytes, text, base64, file }: ReportedBody): string {
  const kept = text === undefined ? Math.floor(((base64 ?? '').length * 3) / 4) : new TextEncoder().encode(text).length;
  const cut = kept + 2 < bytes ? ` (the first ${amount(kept, 'byte')} are shown)` : '';
  const where = file === undefined ? '' : `, all of them in ${shown(file)}`;
  return amount(bytes, 'byte') + cut + where;
}
