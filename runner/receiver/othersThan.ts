import { assumptionValue } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { ReceiverPlan } from './plan.ts';
import type { Taken } from './receiverContext.ts';
import { mayRefuseContent } from './refusalAdvice.ts';

/** What a plain delivery may be like that a receiver takes which refuses those of whole seconds, as they should be. */
export function othersThan(
  refusal: Answer,
  plan: Pick<ReceiverPlan, 'contract' | 'assumptions' | 'secrets'>,
): readonly Taken[] {
  const assumed = assumptionValue(plan.assumptions, 'body.mediaType');
  // Where a contract has a JSON type of its own, body parsers often know the usual one alone.
  const types = new Set([...jsonMediaTypes(plan.contract), 'application/json']);
  const mediaTypes = [...types].filter((mediaType) => mediaType !== assumed);
  const content = [{ fraction: '.000' }, ...mediaTypes.map((mediaType) => ({ fraction: '', mediaType }))];
  const foreign =
    plan.secrets.length === 0 ? [] : [...plan.secrets.slice(1), 'not the secret of this receiver', null, ''];
  return [
    // An error that nobody handled may come of what the content is like.
    ...(mayRefuseContent(refusal) || refusal.kind === 'broken' || hasStatusClass(refusal, 5) ? content : []),
    ...foreign.map((secret) => ({ fraction: '', secret })),
  ];
}

/** The JSON media types that the contract names anywhere in a request, the delivery's own also with its charset. */
export function jsonMediaTypes({ delivery, operations }: Contract): readonly string[] {
  const { mediaType } = delivery;
  const named = operations.flatMap(({ request }) => Object.keys(request ?? {}));
  const json = named.filter((name) => /[/+]json$/.test(name));
  return [...new Set([`${mediaType}; charset=utf-8`, `${mediaType};charset=UTF-8`, ...json])];
}
