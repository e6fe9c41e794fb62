import type { RunEvent } from '../../reports/model/events.ts';
import type { UntimedEvent } from '../engine/runEvents.ts';
import type { Secrets } from './secrets.ts';

/** Events with words of the user's commands or of the target's output. */
const outspoken: ReadonlySet<RunEvent['type']> = new Set(['life.changed', 'target.said', 'target.lost']);

/** An event as it is reported, and as a journal keeps it: without what is secret. */
export function hiddenEvent<Event extends RunEvent | UntimedEvent>(event: Event, secrets: Secrets): Event {
  return outspoken.has(event.type) ? secrets.hideTyped(event) : secrets.hideIn(event);
}
