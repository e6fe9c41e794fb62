import { headerValue } from '../../spec/headerText.ts';
import type { Answer } from '../../suites/delivery.ts';

/** Whether an answer is a page for people, as what stands before a target often gives. */
export function isPage(answer: Answer): boolean {
  return answer.kind === 'answered' && /^text\/html\b/i.test(headerValue(answer.headers, 'Content-Type') ?? '');
}
