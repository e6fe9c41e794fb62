import { member } from './member.ts';
import type { SampleOrder } from './records.ts';

/** What a call of the trigger endpoint asks for; its body has no `data` wrapper (section 4.2). */
export function sampleOrder(body: unknown): SampleOrder {
  const secret = member(body, 'secret') as string | undefined;
  return {
    url: member(body, 'url') as string,
    event: member(body, 'event') as string,
    ...(secret === undefined ? {} : { secret }),
  };
}
