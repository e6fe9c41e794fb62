/** One wait at a time for something that may never come, which can be ended from outside. */
export class Wait {
  #pass: (() => void) | undefined;

  /**
   * Resolves when `done` was called, or {@link end}.
   *
   * @param arm - starts the waiting and returns what stops it; must not call `done` itself
   */
  until(arm: (done: () => void) => () => void): Promise<void> {
    return new Promise((resolve) => {
      const disarm = arm(() => this.end());
      this.#pass = (): void => {
        disarm();
        resolve();
      };
    });
  }

  /** Ends the wait, if there is one. */
  end(): void {
    const pass = this.#pass;
    this.#pass = undefined;
    pass?.();
  }
}
