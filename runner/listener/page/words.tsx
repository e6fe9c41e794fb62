import type { JSX } from 'preact';

import { shown } from '../../../reports/formats/html/page/section.tsx';
import { duration } from '../../../reports/text/amount.ts';
import type { SpokenAnswer } from '../pageData.ts';

/** A name of parts, which breaks after a dot, an underscore or a slash before it breaks within a part. */
export function DottedName({ text }: { readonly text: string }): JSX.Element {
  const parts = shown(text).split(/(?<=[./_])/);
  return <>{parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}</>;
}

/** The time of day. */
export function timeOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** An answer and how long it took: `503 after 3 ms`. */
export function answerWords({ words, ms }: SpokenAnswer): string {
  return `${words} after ${duration(ms)}`;
}

/** The part of a delivery that a check is about. */
export function partOf(check: string): string {
  const [, topic = '', name = ''] = check.split('/');
  return topic === 'notification' ? name : topic;
}
