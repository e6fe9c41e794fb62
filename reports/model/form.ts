/** What is wrong with a value: its place, and what may stand there. Nothing where it is as it should be. */
export type Misfit = { readonly at: string; readonly valid: string } | undefined;

/**
 * What a value that came from a file has to be like.
 *
 * @typeParam T - the type of the values that have this form
 */
export interface Form<out T> {
  (value: unknown): Misfit;
  /** There for the compiler alone: a form of one type is no form of another. */
  readonly type?: T;
}

function formOf<T>(valid: string, isRight: (value: unknown) => boolean): Form<T> {
  return (value) => (isRight(value) ? undefined : { at: '', valid });
}

export const text = formOf<string>('a string', (value) => typeof value === 'string');
export const number = formOf<number>('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const flag = formOf<boolean>('true or false', (value) => typeof value === 'boolean');

/** One of a few words, numbers or truth values. */
export function oneOf<const T extends string | number | boolean>(...values: readonly T[]): Form<T> {
  return formOf(values.join(', '), (value) => values.some((each) => each === value));
}

/** A list of such values. */
export function list<T>(item: Form<T>): Form<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return { at: '', valid: 'a list' };
    return firstMisfit(value.map((each, place) => [String(place), each, item]));
  };
}

/** A list of two, as a header is one. */
export function pair<A, B>(first: Form<A>, second: Form<B>): Form<readonly [A, B]> {
  return (value) => {
    if (!Array.isArray(value) || value.length !== 2) return { at: '', valid: 'a list of two' };
    return first(value[0]) ?? second(value[1]);
  };
}

type OptionalKey<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];

/** The forms of the members that each value of the type has. */
type Needed<T> = { readonly [Key in Exclude<keyof T, OptionalKey<T>>]: Form<T[Key]> };

/** The forms of those that it may have. */
type Possible<T> = { readonly [Key in OptionalKey<T>]-?: Form<Exclude<T[Key], undefined>> };

/** An object with these members. What else it holds does not count: later versions may add some. */
export function object<T>(needed: Needed<T>, possible: Possible<T>): Form<T> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { at: '', valid: 'an object' };
    const members = new Map<string, unknown>(Object.entries(value));
    const there = Object.entries<Form<unknown>>(possible).filter(([name]) => members.has(name));
    const forms = [...Object.entries<Form<unknown>>(needed), ...there];
    return firstMisfit(forms.map(([name, form]) => [name, members.get(name), form]));
  };
}

/** The form that the value itself names. */
export function either<T>(choose: (value: Readonly<Record<string, unknown>>) => Form<T>): Form<T> {
  return (value) => (typeof value === 'object' && value !== null ? choose({ ...value })(value) : noObject);
}

const noObject: Misfit = { at: '', valid: 'an object' };

function firstMisfit(parts: readonly (readonly [place: string, value: unknown, form: Form<unknown>])[]): Misfit {
  for (const [place, value, form] of parts) {
    const misfit = form(value);
    if (misfit) return { ...misfit, at: `/${place}${misfit.at}` };
  }
  return undefined;
}
