import fc, { type Arbitrary } from 'fast-check';

/**
 * Loopback addresses (127.0.0.0/8) that are not among the published ones, by kind: near ones, such as differ in the last
 * number alone or begin with the same digits, and far ones. They shrink to the smallest of their kind.
 */
export function foreignAddresses(published: readonly string[]): readonly Arbitrary<string>[] {
  const last = fc.integer({ min: 2, max: 254 });
  const number = fc.integer({ min: 0, max: 255 });
  const kinds = [
    last.map((d) => `127.0.0.${d}`),
    fc.tuple(number, last).map(([c, d]) => `127.0.${c}.${d}`),
    fc.tuple(number, number, last).map(([b, c, d]) => `127.${b}.${c}.${d}`),
  ];
  const longer = published.flatMap((address) => longerBy(address));
  const all = longer.length === 0 ? kinds : [...kinds, fc.constantFrom(...longer)];
  return all.map((kind) => kind.filter((address) => !published.includes(address)));
}

/** The loopback addresses of the smallest network that are not among the published ones, in order. */
export function nearAddresses(published: readonly string[]): readonly string[] {
  return Array.from({ length: 253 }, (_, index) => `127.0.0.${index + 2}`).filter((each) => !published.includes(each));
}

/** Loopback addresses whose text begins with this address. */
function longerBy(address: string): readonly string[] {
  const last = Number(/^127\.\d+\.\d+\.(\d{1,2})$/.exec(address)?.[1] ?? 0);
  if (last === 0) return [];
  return Array.from({ length: 10 }, (_, digit) => `${address}${digit}`).filter(
    (each) => Number(each.split('.')[3]) < 256,
  );
}
