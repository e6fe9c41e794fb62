import type { JSX } from 'preact';

import { shown } from '../../../reports/formats/html/page/section.tsx';

/** A name of parts, which breaks after a dot, an underscore or a slash before it breaks within a part. */
export function DottedName({ text }: { readonly text: string }): JSX.Element {
  const parts = shown(text).split(/(?<=[./_])/);
  return <>{parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}</>;
}
