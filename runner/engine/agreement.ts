/** What a case is about: values by what they are, such as the events that it delivers. */
export interface Traits {
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Bytes of its largest body. */
  readonly bytes: number;
}

/** So many values are named one by one. */
const few = 3;

/**
 * In what all failing cases of a check agree, and no case that passed.
 *
 * @returns nothing where that cannot be said: they agree in nothing, or there is no case that passed
 * @example agreement(broken, held) // 'all with the event order.created'
 */
export function agreement(broken: readonly Traits[], held: readonly Traits[]): string | undefined {
  if (broken.length < 2 || held.length === 0) return undefined;
  const names = new Set(broken.flatMap(({ values }) => Object.keys(values)));
  const shared = [...names].flatMap((name) => sharedIn(name, broken, held));
  const smallest = Math.min(...broken.map(({ bytes }) => bytes));
  if (shared.length === 0 && smallest > 2 * Math.max(...held.map(({ bytes }) => bytes)))
    return `all with a body of ${smallest} bytes or more`;
  return shared.length === 0 ? undefined : `all with ${shared.slice(0, few).join(', and with ')}`;
}

function sharedIn(name: string, broken: readonly Traits[], held: readonly Traits[]): readonly string[] {
  const valuesOf = ({ values }: Traits): readonly string[] => values[name] ?? [];
  const passed = new Set(held.flatMap(valuesOf));
  const telling = broken.map((traits) => valuesOf(traits).filter((value) => !passed.has(value)));
  const [first = [], ...others] = telling;
  const common = first.filter((value) => others.every((values) => values.includes(value)));
  if (common.length > 0) return [`the ${name} ${common.slice(0, few).join(' and ')}`];
  const all = [...new Set(telling.flat())];
  // Values that differ from case to case by chance would always be some of few: each has to occur more than once.
  const isEach =
    all.length > 0 &&
    all.length <= few &&
    telling.every((values) => values.length > 0) &&
    all.every((value) => telling.filter((values) => values.includes(value)).length > 1);
  return isEach ? [`the ${name} ${all.slice(0, -1).join(', ')} or ${all.at(-1)}`] : [];
}
