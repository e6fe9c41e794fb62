/** An own member below a value, by the names on the way to it: nothing inherited is taken for data. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? at(found, name) : undefined,
    value,
  );
}

function at(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}
