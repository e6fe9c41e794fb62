import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Copyable } from '../../../reports/formats/html/page/copyable.tsx';
import { shown } from '../../../reports/formats/html/page/section.tsx';
import { amount, duration } from '../../../reports/text/amount.ts';
import type { ListedDelivery, PageGreeting, ShownDelivery, WholeAnswer } from '../pageData.ts';
import { fetchCopy, fetchDelivery } from './api.ts';
import { BodyView } from './bodyView.tsx';
import { DottedName, answerWords, partOf, timeOf } from './words.tsx';
import { LevelMark } from './notificationList.tsx';
import { ResendForm } from './resendForm.tsx';
import { TimeAxis } from './timeAxis.tsx';

interface Props {
  readonly listed: ListedDelivery;
  /** All attempts of its notification. */
  readonly attempts: readonly ListedDelivery[];
  readonly greeting: PageGreeting;
  readonly url: string;
  readonly onUrl: (url: string) => void;
  readonly onSelect: (number: number) => void;
  readonly onClose: () => void;
}

/** One delivery in full. */
export function DeliveryView({ listed, attempts, greeting, url, onUrl, onSelect, onClose }: Props): JSX.Element {
  const previous = attempts.findLast(({ number }) => number < listed.number);
  const delivery = useDelivery(listed);
  const before = useDelivery(previous);
  return (
    <article class="delivery" aria-label={`Delivery ${listed.number}`}>
      <header>
        <button type="button" class="back" onClick={onClose}>
          ← All deliveries
        </button>
        <h2>
          <DottedName text={listed.event === '' ? `${listed.method} ${listed.path}` : listed.event} />
        </h2>
        <p class="note">
          #{listed.number} at {timeOf(listed.at)}, attempt {listed.attempt}
          {listed.pause !== undefined && `, ${duration(listed.pause)} after the one before`}
          {listed.id !== '' && <>, id {shown(listed.id)}</>}
        </p>
        {attempts.length > 1 && <TimeAxis attempts={attempts} selected={listed.number} onSelect={onSelect} />}
      </header>
      {delivery === undefined ? (
        <p class="note">Loading…</p>
      ) : (
        <Parts key={listed.number} {...{ delivery, before, greeting, url, onUrl }} />
      )}
    </article>
  );
}

/** Everything about a delivery; what was known before is shown until it is there. */
function useDelivery(listed: ListedDelivery | undefined): ShownDelivery | undefined {
  const [known, change] = useState<ShownDelivery | undefined>();
  useEffect(() => {
    if (listed === undefined) return undefined;
    const over = new AbortController();
    fetchDelivery(listed.number, over.signal).then(change, () => {});
    return () => over.abort();
  }, [listed]);
  return known?.number === listed?.number ? known : undefined;
}

function Parts({
  delivery,
  before,
  greeting,
  url,
  onUrl,
}: Pick<Props, 'greeting' | 'url' | 'onUrl'> & {
  delivery: ShownDelivery;
  before: ShownDelivery | undefined;
}): JSX.Element {
  return (
    <>
      <Findings delivery={delivery} />
      <BodyView delivery={delivery} before={before} />
      <Headers delivery={delivery} />
      <Answers delivery={delivery} />
      <CopyAs number={delivery.number} />
      <ResendForm delivery={delivery} url={url} onUrl={onUrl} signs={greeting.signs} />
    </>
  );
}

function Findings({ delivery: { found, asked } }: { delivery: ShownDelivery }): JSX.Element {
  if (found.length === 0)
    return (
      <p class="verdict right">
        <LevelMark level="right" /> As the contract describes it: {amount(asked, 'check')}, nothing found.
      </p>
    );
  return (
    <ul class="findings">
      {found.map(({ check, level, requirements, expected, actual, hint }) => (
        <li key={check} class={level}>
          <p class="what">
            <LevelMark level={level} /> {partOf(check)}: {shown(actual)}
          </p>
          <dl>
            <dt>expected</dt>
            <dd>{shown(expected)}</dd>
            <dt>{level === 'broken' ? 'broken' : 'noted'}</dt>
            <dd>
              {requirements.length > 0 && <b>{requirements.join(', ')} </b>}
              <code>{check}</code>
            </dd>
            <dt>hint</dt>
            <dd>{hint}</dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Headers({ delivery: { method, path, headers, peer } }: { delivery: ShownDelivery }): JSX.Element {
  return (
    <section aria-label="Request">
      <h3>Request</h3>
      <p class="first-line">
        <b>{shown(method)}</b> {shown(path)} <span class="note">from {shown(peer)}</span>
      </p>
      <ul class="headers">
        {headers.map(([name, value], place) => (
          <li key={place}>
            <b>{shown(name)}:</b> {shown(value)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answers({ delivery: { answered, receiver, executed } }: { delivery: ShownDelivery }): JSX.Element {
  return (
    <section aria-label="Answer">
      <h3>Answer</h3>
      <p class="first-line">{answered === undefined ? 'None so far.' : answerWords(answered)}</p>
      {receiver && <Receiver answer={receiver} />}
      {executed && (
        <>
          <p class="first-line">
            The command: {executed.code === null ? 'did not end by itself' : `exit code ${executed.code}`}
          </p>
          {executed.output.trim() !== '' && (
            <pre tabIndex={0} role="group" aria-label="Output of the command">
              <code>{shown(executed.output)}</code>
            </pre>
          )}
        </>
      )}
    </section>
  );
}

function Receiver({ answer }: { answer: WholeAnswer }): JSX.Element {
  return (
    <>
      <p class="first-line">The receiver: {shown(answerWords(answer))}</p>
      {answer.body.trim() !== '' && (
        <pre tabIndex={0} role="group" aria-label="Body of the receiver's answer">
          <code>{shown(answer.body.slice(0, 4000))}</code>
        </pre>
      )}
    </>
  );
}

const copyForms = { curl: 'curl', case: 'Case file', vitest: 'Vitest test' } as const;

/** The delivery in a form in which it is taken elsewhere. */
function CopyAs({ number }: { number: number }): JSX.Element {
  const [copy, change] = useState<{ readonly form: keyof typeof copyForms; readonly text: string } | undefined>();
  const show = async (form: keyof typeof copyForms): Promise<void> => {
    change({ form, text: await fetchCopy(number, form) });
  };
  return (
    <section class="copy-as" aria-label="Take it elsewhere">
      <h3>Take it elsewhere</h3>
      <div class="actions">
        {(Object.keys(copyForms) as (keyof typeof copyForms)[]).map((form) => (
          <button type="button" key={form} aria-pressed={copy?.form === form} onClick={() => void show(form)}>
            {copyForms[form]}
          </button>
        ))}
      </div>
      {copy && <Copyable text={copy.text} label={copyForms[copy.form]} />}
    </section>
  );
}
