import fc, { type Arbitrary } from 'fast-check';

import type { Contract, ServiceTerms } from '../../spec/contract.ts';
import { invalidNeighbour } from '../schema/invalidNeighbour.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { fromPointer, valueAt, withPlace, withPointer, withoutPointer } from '../json/jsonPointer.ts';
import { invalidUrl, type InvalidUrl, invalidUrlKinds, operationBody, webhookCreation } from './requestBodies.ts';
import { isTakenBy } from './plainBody.ts';
import { probedFilter, UnsupportedSchema } from '../schema/schemaContext.ts';
import { unknownEventKinds } from '../notification/unknownEvent.ts';
import { memberPlace, stateOf, type WebhookMember } from '../../spec/serviceTerms.ts';

/** A creation that is valid, and one that differs from it in one thing and is not. */
export interface CreationNeighbour {
  readonly valid: Json;
  readonly invalid: Json;
  /** What the invalid one changes, in plain words. */
  readonly change: string;
}

/** What may be wrong with a creation, each kind as the contract names it. */
export type CreationFlaw = 'incomplete' | 'without active' | 'wrong events' | 'malformed';

/** The same, and what may be wrong with a member that an update can name as well. */
type Flaw = CreationFlaw | 'one member';

/** The url of every generated creation: the sender of one puts a url of its own in its place. */
export const placeholderUrl = 'https://placeholder.example/hooks';

type Variants = readonly Arbitrary<CreationNeighbour>[];

/** Each kind with its variants, which are all worth a try. */
type Kinds = readonly Variants[];

/**
 * For creations of a webhook that are invalid in one thing, beside the valid one that they differ from. Each is proven:
 * the contract's schema takes the one and refuses the other, and a wrong url is none for a URL parser either.
 *
 * The webhooks are inactive. One arbitrary for each variant of each kind; each shrinks to the required members.
 */
export function creationNeighbourKinds(contract: Contract, terms: ServiceTerms, flaw: Flaw): Kinds {
  const made = proven.get(contract) ?? new Map<Flaw, Kinds>();
  proven.set(contract, made);
  const known = made.get(flaw) ?? provenKinds(contract, terms, flaw);
  made.set(flaw, known);
  return known;
}

/** Made once for a contract: to prove that the kinds can be drawn takes tens of milliseconds. */
const proven = new WeakMap<Contract, Map<Flaw, Kinds>>();

function provenKinds(contract: Contract, terms: ServiceTerms, flaw: Flaw): Kinds {
  const creations = new Creations(contract, terms);
  const proved = (each: Arbitrary<CreationNeighbour>): readonly Arbitrary<CreationNeighbour>[] =>
    provable(() => [probedFilter(each, (value) => creations.isProven(value), '', flaw)]) ?? [];
  const made: readonly (Arbitrary<CreationNeighbour> | Variants | undefined)[] = kinds[flaw](creations);
  const variants = made.map((each = []) => (isVariants(each) ? each : [each]).flatMap(proved));
  return variants.filter(({ length }) => length > 0);
}

function isVariants(kind: Arbitrary<CreationNeighbour> | Variants): kind is Variants {
  return Array.isArray(kind);
}

/** What the schema of a contract does not forbid is no flaw under it. */
function provable<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnsupportedSchema) return undefined;
    throw error;
  }
}

const kinds = {
  incomplete: (made) => [
    made.wrapper === '' ? undefined : made.changed('the wrapper missing', () => ({})),
    made.wrapper === ''
      ? undefined
      : made.changed('the resource without its wrapper', (valid) => valueAt(valid, made.wrapper) ?? {}),
    made.without('type'),
    made.without('url'),
    made.holder === ''
      ? made.changed('all members missing', () => ({}))
      : made.changed('all attributes missing', (valid) => withoutPointer(valid, made.holder)),
    made.broken(['const']),
  ],
  'without active': (made) => [made.without('active')],
  'wrong events': (made) => [
    made.events(() => [], 'no events'),
    [
      made.events((events) => [...events, events[0]!], 'one of the events twice', { least: 2 }),
      made.events(([first = '', ...rest]) => [first, first, ...rest], 'one of the events twice in a row'),
      made.events((events) => [...events, events.at(-1)!], 'every event, and the last of them twice', {
        least: Infinity,
      }),
    ],
    ...made.unknownEvents(),
    made.events((events) => [...events, ...events], 'each of the events twice', { least: 5, most: 8 }),
  ],
  'one member': (made) => [
    made.events(() => [], 'no events'),
    made.events((events) => [...events, events[0]!], 'one of the events twice', { least: 2 }),
    made.unknownEvents().slice(0, 1),
    made.replaced('events', ['"*"']),
    made.replaced('active', ['"true"', '1', 'null']),
    made.replaced('url', ['7']),
    made.urls(invalidUrl()),
  ],
  malformed: (made) => [
    made.broken(['type']),
    made.inLists(),
    // A text, a number and nothing at all are taken for a boolean by different code.
    made.replaced('active', ['"true"', '"false"']),
    made.replaced('active', ['1', '0']),
    made.replaced('active', ['null']),
    made.replaced('url', ['7', 'null', '["https://placeholder.example/hooks"]']),
    made.replaced('events', ['"*"']),
    // Nothing at all, and an object that becomes an empty list, are taken for a list that was left out.
    made.replaced('events', ['null']),
    made.replaced('events', ['{}']),
    // Beside events that exist: a list from which these are left out is not empty.
    [
      made.events((events) => [...events, null], 'events, and null among them'),
      made.events((events) => [...events, 7], 'events, and a number among them'),
    ],
    // Equal to every name for code that compares loosely.
    made.events((events) => [...events, true], 'events, and true among them'),
    made.events(([first = '']) => first, 'the name of an event, not in a list'),
    [
      made.events((events) => events.join(), 'a text with the names of events', { least: 2 }),
      made.events((events) => Object.fromEntries(events.map((name, place) => [place, name])), 'an object of events'),
    ],
    made.events((events) => [[...events]], 'the list of events in another list'),
    made.replaced('headers', ['{"X-Team":"sea"}', '{"X-Team":["sea"]}']),
    made.replaced('headers', ['{}', '{"name":"X-Team","value":"sea"}']),
    made.replaced('headers', ['"X-Team: sea"', '["X-Team: sea"]', '[["X-Team","sea"]]', '[null]']),
    made.replaced('headers', ['[{"X-Team":"sea"}]', '[{}]', '[{"value":"sea"}]']),
    made.replaced('headers', ['[{"name":"X-Team"}]']),
    made.replaced('headers', ['[{"name":"X-Team","value":null}]', '[{"name":null,"value":"sea"}]']),
    made.replaced('headers', ['[{"name":7,"value":"sea"}]', '[{"name":"X-Team","value":7}]']),
    made.replaced('headers', ['[{"name":"X-Fleet","value":"north"},{"name":"X-Team"}]']),
    ...invalidUrlKinds().map((each) => made.urls(each)),
  ],
} as const satisfies Readonly<
  Record<Flaw, (made: Creations) => readonly (Arbitrary<CreationNeighbour> | Variants | undefined)[]>
>;

/** Valid creations, and ways to spoil them. */
class Creations {
  readonly #contract: Contract;
  readonly #terms: ServiceTerms;
  readonly valid: Arbitrary<Json>;
  /** Valid creations that name no events, where there are such. */
  readonly #eventless: Arbitrary<Json>;

  constructor(contract: Contract, terms: ServiceTerms) {
    this.#contract = contract;
    this.#terms = terms;
    const members = {
      [this.at('url')]: fc.constant(placeholderUrl),
      ...(this.#has('active') && { [this.at('active')]: fc.constant(stateOf(terms, false)) }),
    };
    this.valid = webhookCreation(contract, { members });
    const eventless = () => webhookCreation(contract, { members: { ...members, [this.at('events')]: null } });
    this.#eventless = provable(eventless) ?? this.valid;
  }

  get wrapper(): string {
    return this.#terms.webhook.wrapper;
  }

  /** Where a member of the resource stands in the body. */
  at(member: WebhookMember): string {
    return this.wrapper + memberPlace(this.#terms, member);
  }

  /** Where the object stands that the url is a member of. */
  get holder(): string {
    return this.at('url').replace(/\/[^/]*$/, '');
  }

  #has(member: WebhookMember): boolean {
    return isTakenBy(this.#contract, 'create', member);
  }

  isProven({ valid, invalid }: CreationNeighbour): boolean {
    const { validate } = this.#body;
    if (!validate(valid) || validate(invalid)) return false;
    const url = valueAt(invalid, this.at('url'));
    return typeof url !== 'string' || url === placeholderUrl || !URL.canParse(url);
  }

  changed(change: string, spoil: (valid: Json) => Json): Arbitrary<CreationNeighbour> {
    return this.valid.map((valid) => ({ valid, invalid: spoil(valid), change }));
  }

  /** An object where it belongs, but in a list: some libraries read its first as if there were no list. */
  inLists(): Variants {
    return [...new Set([this.wrapper, this.holder])].map((pointer) =>
      this.changed(`${pointer === '' ? 'the body' : fromPointer(pointer).at(-1)} in a list`, (valid) => {
        const listed = [valueAt(valid, pointer) ?? null];
        return pointer === '' ? listed : withPointer(valid, pointer, listed);
      }),
    );
  }

  without(member: 'type' | 'url' | 'active'): Arbitrary<CreationNeighbour> | undefined {
    if (!this.#has(member)) return undefined;
    return this.changed(`the member ${member} missing`, (valid) => withoutPointer(valid, this.at(member)));
  }

  /** Breaks one of these keywords of the schema anywhere. That headers are null is no mistake. */
  broken(keywords: readonly string[]): Arbitrary<CreationNeighbour> | undefined {
    const { schema, validate } = this.#body;
    if (!keywords.some((keyword) => JSON.stringify(schema).includes(`"${keyword}":`))) return undefined;
    const all = provable(() => invalidNeighbour(schema, validate, { valid: this.valid, keywords }));
    if (!this.#has('headers')) return all;
    return all?.filter(({ invalid }) => valueAt(invalid, this.at('headers')) !== null);
  }

  /** Puts something else in the place of a member. @param texts - as JSON */
  replaced(
    member: 'active' | 'url' | 'events' | 'headers',
    texts: readonly string[],
  ): readonly Arbitrary<CreationNeighbour>[] | undefined {
    if (!this.#has(member)) return undefined;
    return texts.map((text) =>
      this.valid.map((valid) => {
        const invalid = withPointer(valid, this.at(member), JSON.parse(text) as Json);
        return { valid, invalid, change: `${member} is ${text}` };
      }),
    );
  }

  /** @param length - how many events the valid creation names. Default: 1 to 4 */
  events(
    spoil: (events: readonly string[]) => Json,
    change: string,
    length: { readonly least?: number; readonly most?: number } = {},
  ) {
    return fc.tuple(this.#eventless, this.#someEvents(length)).map(([value, events]) => ({
      valid: withPlace(value, this.at('events'), events),
      invalid: withPlace(value, this.at('events'), spoil(events)),
      change,
    }));
  }

  urls(invalid: Arbitrary<InvalidUrl>): Arbitrary<CreationNeighbour> {
    return fc.tuple(this.valid, invalid).map(([valid, { flaw, url }]) => ({
      valid,
      invalid: withPointer(valid, this.at('url'), url),
      change: `a url ${flaw}: ${JSON.stringify(url)}`,
    }));
  }

  unknownEvents(): Variants {
    return unknownEventKinds(this.#catalogue).map((unknown) =>
      fc.tuple(this.#eventless, this.#someEvents(), unknown).map(([value, events, { name, kind }]) => ({
        valid: withPlace(value, this.at('events'), events),
        // What stands for several events is taken where it stands alone, if anywhere.
        invalid: withPlace(value, this.at('events'), name.endsWith('*') ? [name] : [...events, name]),
        change: `an unknown event ${name.endsWith('*') ? 'as the only one' : 'among the events'}: ${JSON.stringify(name)} (${kind})`,
      })),
    );
  }

  get #catalogue(): readonly string[] {
    return this.#contract.events.map(({ name }) => name);
  }

  /** No more than there are: some contracts have a single event. */
  #someEvents({ least = 1, most = 4 }: { readonly least?: number; readonly most?: number } = {}): Arbitrary<string[]> {
    const all = [...this.#catalogue];
    const minLength = Math.min(least, all.length);
    return fc.subarray(all, { minLength, maxLength: Math.max(minLength, Math.min(most, all.length)) });
  }

  get #body() {
    const schema = operationBody(this.#contract, 'create');
    const operation = this.#contract.operation('create');
    return { schema, validate: Object.values(operation.request)[0]!.validate };
  }
}

/** The same value with another url wherever the placeholder stands. */
export function withUrl(value: Json, url: string): Json {
  if (value === placeholderUrl) return url;
  if (Array.isArray(value)) return value.map((item: Json) => withUrl(item, url));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, member]) => [name, withUrl(member, url)]));
}
