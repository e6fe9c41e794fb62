import { type Extent, SecretPattern, SecretStream } from './secretPattern.ts';
import { SecretParts } from './secretParts.ts';
import type { StandIn } from './standIns.ts';
import type { RunEvent } from '../../reports/model/events.ts';
import type { UntimedEvent } from '../engine/eventStream.ts';

/** Events with words of the user's commands or of the target's output. */
const outspoken: ReadonlySet<RunEvent['type']> = new Set(['life.changed', 'target.said', 'target.lost']);

/** An event as it is reported, and as a journal keeps it: without what is secret. */
export function hiddenEvent<Event extends RunEvent | UntimedEvent>(event: Event, secrets: Secrets): Event {
  if (event.type === 'target.lost' && event.kitWords) return secrets.hideKit(event);
  return outspoken.has(event.type) ? secrets.hideTyped(event) : secrets.hideIn(event);
}

/** Secrets shorter than this are hidden in what the user has typed and the target has printed, as whole words. */
const shortest = 6;

/** From so many characters on a secret, unless it is one word or a number, is no part of anything that the kit says. */
const unmistakable = 8;

/** Members of events, and of what they hold, that are the kit's own words or places that are used again. */
const ownMembers: ReadonlySet<string> = new Set(
  (
    'type check checks requirement requirements operationId outcome key gap kit contract run events title statement ' +
    'section level hint source url file subject step words kind id curl change seaworthy cause'
  ).split(' '),
);

/** Names, ids and bodies come again and again: so many texts are known at once, and none that has more characters. */
const [mostKnown, longestKnown] = [2048, 4096];

/** What is looked for where. */
type Reach = 'own' | 'anywhere' | 'said' | 'typed';

const extents: Readonly<Record<Reach, Readonly<Record<'short' | 'mistakable' | 'clear', Extent | undefined>>>> = {
  // The kit cuts none of its own words off, and some of them end as a secret may begin.
  own: { short: undefined, mistakable: 'bytes', clear: 'whole' },
  anywhere: { short: undefined, mistakable: 'bytes', clear: 'all' },
  said: { short: undefined, mistakable: 'all', clear: 'all' },
  typed: { short: 'word', mistakable: 'all', clear: 'all' },
};

/**
 * What must not be written, and what stands in its place. Everything that is written or printed passes it: texts and bytes
 * whole, the output of a target as it comes.
 *
 * @example new Secrets([{ secret: 's3cret/s3cret', shown: '$KEY' }]).hide('?key=s3cret%2fs3cret') // '?key=$KEY'
 */
export class Secrets {
  readonly #standIns: StandIn[] = [];
  readonly #patterns = new Map<Reach, readonly SecretPattern[]>();
  readonly #made = new Map<string, SecretPattern>();
  /** What was made of texts. */
  readonly #known: Readonly<Record<Reach, Map<string, string>>> = {
    own: new Map(),
    anywhere: new Map(),
    said: new Map(),
    typed: new Map(),
  };
  #parts: SecretParts | undefined;

  constructor(standIns: readonly StandIn[] = []) {
    this.add(standIns);
  }

  /** What stands for a secret first, stays. */
  add(standIns: readonly StandIn[]): void {
    for (const standIn of standIns) {
      // A saved case holds variables in the place of secrets.
      if (
        ['', standIn.shown].includes(standIn.secret) ||
        this.#standIns.some(({ secret }) => secret === standIn.secret)
      )
        continue;
      this.#standIns.push(standIn);
      this.#patterns.clear();
      for (const known of Object.values(this.#known)) known.clear();
      this.#parts?.add(standIn);
    }
  }

  /** A text in which some words are the kit's own: a secret that may be one of these stays, but where it is encoded. */
  hide(text: string): string {
    return this.#hidden(text, 'anywhere');
  }

  /** Bytes that are no text of the kit. */
  hideBytes(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const shown = this.#hidden(text, 'said');
    return shown === text ? bytes : Buffer.from(shown, 'latin1');
  }

  /**
   * The same value, every text of it without secrets; in members that hold words of the kit as in {@link hide}, and only
   * whole secrets.
   */
  hideIn<T>(value: T): T {
    return this.#value(value, 'said') as T;
  }

  /** The same for a value whose texts are the kit's: a secret that may be a word of these stays, as in {@link hide}. */
  hideKit<T>(value: T): T {
    return this.#value(value, 'anywhere') as T;
  }

  /** The same for what the user has typed, or the target has printed: there are no words of the kit. */
  hideTyped<T>(value: T): T {
    return this.#value(value, 'typed') as T;
  }

  /** Hides what is secret in a stream of bytes, whose pieces may end within a secret. */
  stream(): SecretStream {
    return new SecretStream(this.#of('said'), this.#partsOf());
  }

  #value(value: unknown, reach: Reach): unknown {
    if (this.#standIns.length === 0) return value;
    if (typeof value === 'string') return this.#hidden(value, reach);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, reach));
    if (typeof value !== 'object' || value === null) return value;
    const shown: Record<string, unknown> = { ...value };
    for (const name of Object.keys(shown)) {
      shown[name] = this.#value(shown[name], ownMembers.has(name) ? 'own' : reach);
    }
    return shown;
  }

  #hidden(text: string, reach: Reach): string {
    if (text.length > longestKnown) return this.#sought(text, reach);
    const known = this.#known[reach];
    const before = known.get(text);
    if (before !== undefined) return before;
    const shown = this.#sought(text, reach);
    if (known.size >= mostKnown) known.clear();
    known.set(text, shown);
    return shown;
  }

  #sought(text: string, reach: Reach): string {
    const shown = this.#of(reach).reduce((rest, pattern) => pattern.hide(rest), text);
    return reach === 'own' ? shown : this.#partsOf().hide(shown);
  }

  #partsOf(): SecretParts {
    this.#parts ??= new SecretParts(this.#standIns);
    return this.#parts;
  }

  /** The longest first: another one may be a part of it. */
  #of(reach: Reach): readonly SecretPattern[] {
    const known = this.#patterns.get(reach);
    if (known !== undefined) return known;
    const ordered = this.#standIns.toSorted((one, other) => other.secret.length - one.secret.length);
    const made = ordered.flatMap((standIn) => {
      const extent = extents[reach][sortOf(standIn.secret)];
      return extent === undefined ? [] : [this.#pattern(standIn, extent)];
    });
    this.#patterns.set(reach, made);
    return made;
  }

  #pattern(standIn: StandIn, extent: Extent): SecretPattern {
    const name = `${extent} ${standIn.secret}`;
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const pattern = new SecretPattern(standIn, extent, extent === 'whole' ? this.#pattern(standIn, 'all') : undefined);
    this.#made.set(name, pattern);
    return pattern;
  }
}

function sortOf(secret: string): 'short' | 'mistakable' | 'clear' {
  if (secret.length < shortest) return 'short';
  return secret.length < unmistakable || /^(?:[a-z]+|\d+)$/i.test(secret) ? 'mistakable' : 'clear';
}
