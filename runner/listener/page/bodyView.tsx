import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { exactPart } from '../../../reports/model/comparedRequest.ts';
import { shown } from '../../../reports/formats/html/page/section.tsx';
import { amount } from '../../../reports/text/amount.ts';
import { bodyText, visible } from '../../../reports/text/visible.ts';
import type { ShownDelivery } from '../pageData.ts';

type Form = 'pretty' | 'raw' | 'hex' | 'changes';

/** Bytes of a body that are drawn: a browser is no editor of large files. */
const mostBytes = 64 * 1024;

/** A body in the forms in which it can be looked at. @param before - the attempt before, where there is one */
export function BodyView({
  delivery,
  before,
}: {
  delivery: ShownDelivery;
  before: ShownDelivery | undefined;
}): JSX.Element {
  const [chosen, choose] = useState<Form>('pretty');
  const bytes = useMemo(() => bytesOf(delivery.body), [delivery.body]);
  const text = useMemo(() => textOf(bytes), [bytes]);
  const pretty = useMemo(() => prettyOf(text), [text]);
  const forms: readonly Form[] = [
    ...(pretty === undefined ? [] : (['pretty'] as const)),
    'raw',
    'hex',
    ...(before ? (['changes'] as const) : []),
  ];
  const form = forms.includes(chosen) ? chosen : 'raw';
  return (
    <section class="body" aria-label="Body">
      <div class="tabs" role="tablist" aria-label="Form of the body">
        {forms.map((each) => (
          <button type="button" role="tab" key={each} aria-selected={each === form} onClick={() => choose(each)}>
            {labels[each]}
          </button>
        ))}
        <span class="note">{amount(bytes.length, 'byte')}</span>
      </div>
      {form === 'changes' && before ? (
        <Changes delivery={delivery} before={before} />
      ) : (
        <pre tabIndex={0} role="group" aria-label={`Body, ${labels[form]}`}>
          <code>{form === 'hex' ? hexOf(bytes) : shown(cut(form === 'pretty' ? (pretty ?? text) : text))}</code>
        </pre>
      )}
    </section>
  );
}

const labels: Readonly<Record<Form, string>> = { pretty: 'Pretty', raw: 'Raw', hex: 'Hex', changes: 'Changes' };

/** What differs from the attempt before, in the body and in the headers. */
function Changes({ delivery, before }: { delivery: ShownDelivery; before: ShownDelivery }): JSX.Element {
  const part = exactPart(textOf(bytesOf(before.body)), textOf(bytesOf(delivery.body)));
  const headers = changedHeaders(before, delivery);
  return (
    <div class="changes">
      <p>
        Compared with attempt {before.attempt} (#{before.number}):{' '}
        {part === undefined ? 'the body has the same bytes.' : 'the body differs.'}
      </p>
      {part && (
        <div class="twins">
          {(['first', 'second'] as const).map((which) => (
            <figure key={which}>
              <figcaption>Attempt {which === 'first' ? before.attempt : delivery.attempt}</figcaption>
              <pre tabIndex={0} role="group" aria-label={`Body of attempt ${which}`}>
                <code>
                  {part[which].before.length > near && '…'}
                  {visible(part[which].before.slice(-near))}
                  <mark>{part[which].changed === '' ? <span class="nothing" /> : start(part[which].changed)}</mark>
                  {start(part[which].after)}
                </code>
              </pre>
            </figure>
          ))}
        </div>
      )}
      {headers.length === 0 ? (
        <p>The headers are the same.</p>
      ) : (
        <ul class="headers">
          {headers.map(({ name, was, is }) => (
            <li key={name}>
              <b>{shown(name)}:</b> <del>{shown(was ?? 'not there')}</del> <ins>{shown(is ?? 'not there')}</ins>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Characters around a change that are shown. */
const near = 300;

function start(text: string): string {
  return visible(text.slice(0, near)) + (text.length > near ? '…' : '');
}

interface ChangedHeader {
  readonly name: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

function changedHeaders(before: ShownDelivery, after: ShownDelivery): readonly ChangedHeader[] {
  const values = ({ headers }: ShownDelivery, name: string): string | undefined => {
    const found = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
    return found.length === 0 ? undefined : found.join(', ');
  };
  const names = [...new Set([...before.headers, ...after.headers].map(([name]) => name.toLowerCase()))];
  return names
    .map((name) => ({ name, was: values(before, name), is: values(after, name) }))
    .filter(({ was, is }) => was !== is);
}

/** The bytes that base64 stands for. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}

/** Bytes as text where they are UTF-8, else with those outside ASCII spelled out. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bodyText({ base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) });
  }
}

function prettyOf(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > mostBytes ? `${text.slice(0, mostBytes)}\n… (${text.length - mostBytes} characters more)` : text;
}

/** @example '00000000  7b 22 64 61 74 61 22 3a  7b 22 69 64 22 3a 22 35  {"data":{"id":"5' */
function hexOf(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, mostBytes); at += 16) {
    const row = Array.from(bytes.subarray(at, at + 16));
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')].join('  ').padEnd(49);
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${halves} ${text}`);
  }
  if (bytes.length > mostBytes) lines.push(`… (${bytes.length - mostBytes} bytes more)`);
  return lines.join('\n');
}
