/** A JSON object, loosely: faults do with it what they like. */
export type Loose = Record<string, unknown>;

/** The same body with something changed in its value. */
export function rewritten(body: Buffer, change: (value: { data: Loose; included: unknown }) => unknown): Buffer {
  return Buffer.from(JSON.stringify(change(JSON.parse(body.toString()))));
}

/** The same body with other attributes of the notification. */
export function withAttributes(body: Buffer, attributes: Loose): Buffer {
  return rewritten(body, ({ data, ...rest }) => ({
    data: { ...data, attributes: { ...(data['attributes'] as Loose), ...attributes } },
    ...rest,
  }));
}
