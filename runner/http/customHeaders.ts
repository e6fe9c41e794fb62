import type { Delivery, Header } from '../../suites/delivery.ts';

/** Adds custom headers to deliveries; a delivery's own header of the same name wins. */
export function customHeaders(headers: readonly Header[]): (delivery: Delivery) => Delivery {
  if (headers.length === 0) return (delivery) => delivery;
  const named = headers.map((header) => [header[0].toLowerCase(), header] as const);
  return (delivery) => {
    const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
    const added = named.filter(([name]) => !own.has(name)).map(([, header]) => header);
    return added.length === 0 ? delivery : { ...delivery, headers: [...delivery.headers, ...added] };
  };
}
