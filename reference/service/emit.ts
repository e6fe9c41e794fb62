import type { World } from './call.ts';
import { member } from './member.ts';
import { madeUpOccurrence } from './occurrences.ts';
import { parseBody } from './parseBody.ts';
import type { Reply } from './records.ts';
import { Refusal } from './refusal.ts';
import { jsonReply } from './reply.ts';

/**
 * `POST /emit` with `{"event": "..."}`: the event happens for real, on a made-up voyage, to every active webhook that
 * subscribes to it. No operation of the contract: a tool of the stand-in, for callers on its own machine.
 *
 * @throws Refusal (400, 422)
 */
export async function emit(body: Buffer, { announcer, catalogue, contract, policies }: World): Promise<Reply> {
  const event = member(parseBody(body), 'event');
  if (typeof event !== 'string' || !catalogue.includes(event)) {
    const detail = `/event is no event of the catalogue. Valid are ${catalogue.join(', ')}.`;
    throw new Refusal([{ status: 422, rule: 'enum', pointer: '/event', detail }]);
  }
  const notifications = await announcer.announce([madeUpOccurrence(event, contract, policies.timestamp)]);
  return jsonReply(202, { notifications }, 'application/json; charset=utf-8');
}
