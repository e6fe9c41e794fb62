/** A count with its noun: `1 check`, `1,234 deliveries`. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Digits in groups of three: `12,345`. Loading what knows the customs of a language would take longer than a short report. */
export function grouped(count: number): string {
  return Math.round(count)
    .toFixed(0)
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A duration as people say it: `340 ms`, `8.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
