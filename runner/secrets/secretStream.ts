import type { SecretPattern } from './secretPattern.ts';

/**
 * Hides secrets in a stream of bytes. What may be the beginning of one is held back until more has come; all else goes
 * through at once.
 */
export class SecretStream {
  readonly #patterns: readonly SecretPattern[];
  #held = '';

  constructor(patterns: readonly SecretPattern[]) {
    this.#patterns = patterns;
  }

  /** @returns what can be shown by now */
  write(chunk: Buffer): Buffer {
    const text = this.#held + chunk.toString('latin1');
    const settled = this.#settled(text);
    this.#held = text.slice(settled);
    return this.#shown(text.slice(0, settled));
  }

  /** What was held back, once nothing more comes; and as it may be shown meanwhile. */
  end(): Buffer {
    const rest = this.#held;
    this.#held = '';
    return this.#shown(rest);
  }

  #shown(text: string): Buffer {
    return Buffer.from(
      this.#patterns.reduce((rest, pattern) => pattern.hide(rest), text),
      'latin1',
    );
  }

  /** No secret goes over this place, whole or begun. */
  #settled(text: string): number {
    let place = Math.min(text.length, ...this.#patterns.map((pattern) => pattern.begins(text)));
    for (;;) {
      const before = Math.min(place, ...this.#patterns.map((pattern) => pattern.before(text, place)));
      if (before === place) return place;
      place = before;
    }
  }
}
