import { XMLBuilder } from 'fast-xml-parser';

import type { Reply, Resource } from './records.ts';
import { jsonReply } from './reply.ts';

/** The element that the contract's schema of the answer names. */
const root = 'webhook';

const builder = new XMLBuilder({ format: true, suppressEmptyNode: true, ignoreAttributes: true });

/**
 * The answer to a webhook's creation (sections 1 and 4.1): JSON, or the same document as XML. In XML a list is its
 * element repeated, as OpenAPI has it, and what is null is left out.
 */
export function creationReply(data: Resource, prefersXml: boolean): Reply {
  if (!prefersXml) return jsonReply(201, { data }, 'application/json; charset=utf-8');
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [root]: { data: withoutNulls(data) } })}`;
  return { status: 201, headers: { 'content-type': 'application/xml; charset=utf-8' }, body };
}

function withoutNulls({ attributes, ...rest }: Resource): Resource {
  return { ...rest, attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) };
}
