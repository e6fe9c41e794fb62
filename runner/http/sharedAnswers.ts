import type { Answer } from '../../suites/delivery.ts';

type Answered = Extract<Answer, { readonly kind: 'answered' }>;

/**
 * Lets answers that say the same share their texts: a target may say the same at length to thousands of deliveries, and what
 * came of each is kept until its check has ended.
 */
export class SharedAnswers {
  #last: Pick<Answered, 'headers' | 'body'> = { headers: [], body: '' };

  /** @returns the same answer, with the texts of the one before where they are equal */
  shared(answer: Answer): Answer {
    if (answer.kind !== 'answered') return answer;
    const { headers, body } = this.#last;
    const same = answer.headers.map((header, place) => (areEqual(headers[place], header) ? headers[place]! : header));
    this.#last = {
      headers:
        same.length === headers.length && same.every((header, place) => header === headers[place]) ? headers : same,
      body: answer.body === body ? body : answer.body,
    };
    return { ...answer, ...this.#last };
  }
}

function areEqual(one: Answered['headers'][number] | undefined, other: Answered['headers'][number]): boolean {
  return one?.[0] === other[0] && one[1] === other[1];
}
