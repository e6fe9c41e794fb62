/** Requests without an answer over connections that had answered before, after which such connections are avoided. */
const suspicious = 4;

/**
 * Whether connections are worth keeping. A target may leave the next request on a connection without an answer, after one that
 * it refused for instance: then each of them would be waited for until its time is over, and each shows the same.
 */
export class KeptConnections {
  #unanswered = 0;
  #unansweredFresh = 0;

  /** Whether requests are answered over fresh connections only. */
  get areAvoided(): boolean {
    return this.#unanswered >= suspicious && this.#unansweredFresh === 0;
  }

  /** A request got no answer in time. @param wasKept - whether its connection had answered before */
  unanswered(wasKept: boolean): void {
    if (wasKept) this.#unanswered += 1;
    else this.#unansweredFresh += 1;
  }
}
