import { bodyText } from '../../text/bodyText.ts';
import type { ReportedRequest } from '../../model/exchange.ts';
import { visible } from '../../text/visible.ts';
import { amount } from '../../text/amount.ts';
import { difference } from './difference.ts';
import type { Neighbour } from './neighbour.ts';
import type { Page } from './page.ts';
import { indent, labelled, wrap } from './wrap.ts';

/** How large a body is, and its start; beside a neighbour, the place where the two differ. */
export function bodyLines({ body }: ReportedRequest, twin: Neighbour | undefined, page: Page): readonly string[] {
  const size = amount(body.bytes, 'byte') + (body.file === undefined ? '' : `, all of them in ${visible(body.file)}`);
  const compared = twin && difference(bodyText(twin.request.body), bodyText(body), page.width - 10);
  if (compared) {
    return [
      ...labelled('body', size, page.width),
      `${twin.label.padEnd(10)}${compared.accepted}`,
      `this one  ${compared.found}`,
      `          ${page.paint('red', compared.marker)}`,
    ];
  }
  const same = twin?.request.body.sha256 === body.sha256 ? `, the same as in ${twin.name}` : '';
  return [
    ...labelled('body', size + same, page.width),
    ...(body.bytes === 0 ? [] : indent(excerpt(bodyText(body), page.width - 10, 8), 10)),
  ];
}

/** The start of a text in at most so many lines; what was left out is said. */
export function excerpt(text: string, columns: number, lines: number): readonly string[] {
  const all = wrap(visible(text.slice(0, columns * lines)), columns);
  const cut = all.length > lines || text.length > columns * lines;
  return cut ? [...all.slice(0, lines - 1), `… (${amount(text.length, 'character')} in all)`] : all;
}
