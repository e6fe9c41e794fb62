import type { JSX } from 'preact';

import { bodyText } from '../../../text/bodyText.ts';
import { type CutText, differingPart } from '../../../model/differingPart.ts';
import type { ReportedBody } from '../../../model/exchange.ts';
import { amount } from '../../../text/amount.ts';
import type { Neighbour } from '../../terminal/neighbour.ts';
import { visible } from '../../../text/visible.ts';
import { shown } from './shown.ts';

/** A body; beside a neighbour both, with the place where they differ marked. */
export function BodyView({ body, neighbour }: { body: ReportedBody; neighbour?: Neighbour }): JSX.Element {
  const twin = neighbour?.request.body;
  const part = twin && differingPart(bodyText(twin), bodyText(body));
  const same = twin !== undefined && twin.sha256 === body.sha256;
  return (
    <div class="message">
      <h5>
        Body, {sizeText(body)}
        {same && `, the same as in ${neighbour?.name ?? ''}`}
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
