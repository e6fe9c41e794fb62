import type { ShownDelivery } from '../pageData.ts';

/** All that is known of a delivery; nothing where it is no longer kept. */
export async function fetchDelivery(number: number, signal: AbortSignal): Promise<ShownDelivery | undefined> {
  const answer = await fetch(`deliveries/${number}`, { signal });
  return answer.ok ? ((await answer.json()) as ShownDelivery) : undefined;
}

/** A delivery as it is taken elsewhere. */
export async function fetchCopy(number: number, form: 'curl' | 'case' | 'vitest'): Promise<string> {
  const answer = await fetch(`deliveries/${number}/${form}`);
  return answer.text();
}

/** Asks the listener to do something. @throws Error with its words where it does not */
export async function ask(what: 'answer' | 'clear' | 'resend', given: object): Promise<unknown> {
  const answer = await fetch(what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
  });
  if (answer.ok) return answer.json();
  throw new Error((await answer.text()).trim());
}
