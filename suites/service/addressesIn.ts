import type { Json } from '../../generators/json/json.ts';
import type { Call } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';
import { parseBlock } from './ipAddress.ts';

/** Every text in an answer that reads as an IP address or as a block of them (CIDR), wherever it stands. */
export function addressesIn(call: Call, kit: Pick<ServiceKit, 'json'>): readonly string[] {
  const json = kit.json(call);
  const texts = json !== undefined ? textsIn(json) : call.answer.kind === 'answered' ? words(call.answer.body) : [];
  return texts.filter((text) => parseBlock(text) !== undefined);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return words(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((each: Json) => textsIn(each)) : [];
}

function words(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
