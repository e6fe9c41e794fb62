import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect } from 'vitest';

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
