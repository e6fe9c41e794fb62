import type { Answer } from '../../suites/delivery.ts';

/** Bytes of an answer that are kept, and that are read at most. */
export interface AnswerLimits {
  readonly kept: number;
  /** An answer that goes on is cut off there. */
  readonly read: number;
}

/** What is read of an answer to a delivery where nothing else is said: nobody looks at more than its beginning. */
export const deliveryLimits: AnswerLimits = { kept: 64 * 1024, read: 16 * 1024 * 1024 };

/** The same where the user said how much is read. */
export function limitsOf({
  maxAnswer = deliveryLimits.read,
}: {
  readonly maxAnswer?: number | undefined;
}): AnswerLimits {
  return { ...deliveryLimits, read: maxAnswer };
}

const mostChunks = 64;

/** The body of an answer: its first bytes are kept, the rest is read and thrown away. */
export class AnswerBody {
  readonly #limits: AnswerLimits;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  /** @returns false once more came than is read: then nobody should read on */
  add(chunk: Buffer): boolean {
    const room = this.#limits.kept - this.#bytes;
    // A part of a large chunk would hold all of it in memory.
    if (room > 0) this.#chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
    // A body may come byte by byte, and each chunk takes far more room than its bytes.
    if (this.#chunks.length > mostChunks) this.#chunks.splice(0, Infinity, Buffer.concat(this.#chunks));
    this.#bytes += chunk.length;
    return this.#bytes <= this.#limits.read;
  }

  /** Where it was longer than what is read of it: after how many bytes it was cut off. */
  get cut(): { readonly cut?: number } {
    return this.#bytes > this.#limits.read ? { cut: this.#limits.read } : {};
  }

  /**
   * What was kept, read as UTF-8; bytes that are none become U+FFFD. Nobody judges what was cut off, so that its beginning
   * is enough.
   */
  text(): string {
    const most = this.cut.cut === undefined ? this.#limits.kept : deliveryLimits.kept;
    return this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks).toString('utf8', 0, most);
  }
}

/** A sender reads an answer to its end: one that is too long to have one gets no other. */
export function unended(answer: Answer): Answer {
  if (answer.kind !== 'answered' || answer.cut === undefined) return answer;
  const { status, cut, ms } = answer;
  return { kind: 'timed-out', status, cut, ms };
}

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
