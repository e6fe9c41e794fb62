import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect } from 'vitest';

import type { Facts, MatrixFacts } from './facts.ts';

/** What a badge says, read from its SVG or from its JSON. */
export function readBadge(text: string): { readonly label: string; readonly message: string } {
  if (text.startsWith('{')) {
    const { schemaVersion, label, message, color } = JSON.parse(text);
    expect(schemaVersion).toBe(1);
    expect(['brightgreen', 'red', 'orange', 'yellow', 'lightgrey']).toContain(color);
    return { label, message };
  }
  expect(XMLValidator.validate(text)).toBe(true);
  const { svg } = new XMLParser({ ignoreAttributes: false, trimValues: false }).parse(text.trim());
  const [label = '', message = ''] = String(svg.title).split(/: (.*)/s);
  return { label, message };
}

/** The facts of a run on a badge, which says no verdict where the run could not be made to its end. */
export function readRunBadge(text: string): Partial<Facts> {
  const { message } = readBadge(text);
  const [, broken] = /^does not conform, (\d+) broken(?: as expected)?(?:, incomplete)?$/.exec(message) ?? [];
  if (broken === undefined) {
    expect(message).toMatch(/^(?:conforms|incomplete|\d+ of \d+ MUSTs hold|no MUST broken in [\d,]+ sequences?)$/);
  }
  const verdict = message === 'conforms' ? 'conforms' : broken === undefined ? 'inconclusive' : 'does-not-conform';
  return {
    broken: Number(broken ?? 0),
    incomplete: message.endsWith('incomplete'),
    ...(message !== 'incomplete' && { verdict }),
  };
}

/** The facts of several targets on a badge. */
export function readMatrixBadge(text: string): Partial<MatrixFacts> {
  const [, conforming, targets] = /^(\d+) of (\d+) conform$/.exec(readBadge(text).message) ?? [];
  return { conforming: Number(conforming), targets: Number(targets) };
}
