import { quietMarkup } from '../github/quietText.ts';
import { visible } from '../../text/visible.ts';

/** An element of an XML document: text or children, never both. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly children?: readonly XmlElement[];
}

/**
 * An XML 1.0 document in UTF-8, one element a line. What XML cannot carry, or no reader would show, stands there
 * spelled out (see `visible`); of control characters only line feeds and tabs in text stay as they are.
 */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, '')}\n`;
}

function element({ name, attributes = {}, text, children = [] }: XmlElement, indent: string): string {
  const open = `${indent}<${name}${Object.entries(attributes).map(attribute).join('')}`;
  if (text !== undefined) return `${open}>${escaped(visible(text, '\n\t'))}</${name}>`;
  if (children.length === 0) return `${open}/>`;
  return [`${open}>`, ...children.map((child) => element(child, `${indent}  `)), `${indent}</${name}>`].join('\n');
}

function attribute([name, value]: readonly [string, string]): string {
  return ` ${name}="${escaped(visible(value)).replaceAll('"', '&quot;')}"`;
}

/** `>` is only escaped where it would end a CDATA section, to spare readers that count entities. */
function escaped(text: string): string {
  return quietMarkup(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;'));
}
