import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { shown } from '../../../reports/formats/html/page/section.tsx';
import { duration } from '../../../reports/text/amount.ts';
import type { ShownDelivery } from '../pageData.ts';
import { ask } from './api.ts';
import { bytesOf, textOf } from './bodyView.tsx';
import { timeOf } from './words.tsx';

interface Props {
  readonly delivery: ShownDelivery;
  /** The address that is offered. */
  readonly url: string;
  readonly onUrl: (url: string) => void;
  /** Whether it can be signed anew. */
  readonly signs: boolean;
}

type State = 'ready' | 'sending' | { readonly failure: string };

/** Sends a delivery again to a receiver on this machine, as it came or changed, and shows what it answers. */
export function ResendForm({ delivery, url, onUrl, signs }: Props): JSX.Element {
  const original = textOf(bytesOf(delivery.body));
  const [text, edit] = useState<string | undefined>();
  const [sign, changeSign] = useState(false);
  const [state, change] = useState<State>('ready');
  const send = async (): Promise<void> => {
    change('sending');
    const body = text === undefined || text === original ? {} : { body: base64Of(text) };
    const failed = (error: unknown): State => ({ failure: error instanceof Error ? error.message : String(error) });
    change(await ask('resend', { number: delivery.number, url, sign, ...body }).then(() => 'ready' as const, failed));
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void send();
  };
  return (
    <section class="resend" aria-label="Send again">
      <h3>Send again</h3>
      <form onSubmit={onSubmit}>
        <Fields {...{ url, onUrl, text, edit }} />
        <div class="actions">
          <button type="submit" class="main" disabled={state === 'sending'}>
            {state === 'sending' ? 'Sending…' : 'Send'}
          </button>
          <button type="button" onClick={() => edit(text === undefined ? original : undefined)}>
            {text === undefined ? 'Change the body' : 'As it came'}
          </button>
          {signs && <SignAnew {...{ sign, changeSign }} />}
        </div>
        <p role="status" class="failure">
          {typeof state === 'object' && shown(state.failure)}
        </p>
      </form>
      {delivery.sentAgain.length > 0 && <SentAgain sent={delivery.sentAgain} />}
    </section>
  );
}

function Fields({
  url,
  onUrl,
  text,
  edit,
}: Pick<Props, 'url' | 'onUrl'> & { text: string | undefined; edit: (text: string) => void }): JSX.Element {
  return (
    <>
      <label>
        Receiver on this machine
        <input
          type="url"
          required
          placeholder="http://localhost:3000/hooks"
          value={url}
          onInput={(event) => onUrl(event.currentTarget.value)}
        />
      </label>
      {text !== undefined && (
        <label>
          Body
          <textarea rows={8} spellcheck={false} value={text} onInput={(event) => edit(event.currentTarget.value)} />
        </label>
      )}
    </>
  );
}

function SignAnew({ sign, changeSign }: { sign: boolean; changeSign: (sign: boolean) => void }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={sign} onChange={(event) => changeSign(event.currentTarget.checked)} />
      sign anew
    </label>
  );
}

function SentAgain({ sent }: { sent: ShownDelivery['sentAgain'] }): JSX.Element {
  return (
    <ol class="sent">
      {sent.toReversed().map(({ at, url, changed, answer }) => (
        <li key={at}>
          <b class={(answer.status ?? 500) < 300 ? 'good' : 'bad'}>{shown(answer.words)}</b> after {duration(answer.ms)}{' '}
          <span class="note">
            {timeOf(at)}, {shown(url)}
            {changed && ', changed'}
          </span>
          {answer.body.trim() !== '' && (
            <pre tabIndex={0} role="group" aria-label="Body of the answer">
              <code>{shown(answer.body.slice(0, 4000))}</code>
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
