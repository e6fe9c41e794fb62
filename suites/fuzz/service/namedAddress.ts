import { placeholderUrl } from '../../../generators/calls/creationNeighbour.ts';
import type { Json } from '../../../generators/json/json.ts';
import type { CreateStep, ServiceStep, UpdateStep } from './steps.ts';

/** Hosts that are drawn for addresses that are none: nobody has them (RFC 2606). */
const drawn = /\b[a-z]{1,12}\.example\b|\[::1/g;

/**
 * Why a step must not be played: it would have the service deliver to another address than one of the kit's. In the body of
 * a creation that is drawn, each address stands for one of these; and no endpoint that is drawn answers with headers.
 */
export function namedAddress(step: ServiceStep): string | undefined {
  if (step.do === 'create' || step.do === 'update') return redirected(step);
  const found = step.do === 'invalid' ? addressIn(step.invalid, '') : undefined;
  return found === undefined ? undefined : `it names an address that is none of the kit: ${found}`;
}

function redirected(step: CreateStep | UpdateStep): string | undefined {
  const refusals = (step.do === 'create' ? step.refusals : step.url?.refusals) ?? [];
  const redirects = refusals.some(({ by }) => 'headers' in by);
  return redirects ? 'its endpoint answers with headers, which may lead the service elsewhere' : undefined;
}

function addressIn(value: Json, name: string): string | undefined {
  if (typeof value === 'string') return isForeign(value, name) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Array.isArray(value) ? value.map((item: Json) => [name, item] as const) : Object.entries(value);
  for (const [member, item] of members) {
    const found = addressIn(item, member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An address anywhere, and where an address belongs also what only a lenient reader takes for one. */
function isForeign(text: string, name: string): boolean {
  if (text === placeholderUrl) return false;
  if ((URL.parse(text)?.host ?? '') !== '') return true;
  return /^(?:url|uri)$/i.test(name) && /[.\d%]/.test(text.replaceAll(drawn, ''));
}
