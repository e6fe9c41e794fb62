/** Milliseconds as a duration with two significant digits, as assumptions write it: `20ms`, `1.5s`, `10s`, `2m`. */
export function inDuration(ms: number): string {
  const rounded = Number(Math.max(1, ms).toPrecision(2));
  if (rounded < 1000) return `${Math.round(rounded)}ms`;
  return rounded < 120_000 ? `${Number((rounded / 1000).toFixed(1))}s` : `${Number((rounded / 60_000).toFixed(1))}m`;
}

/** What people set durations to, before their unit is known. */
const usual = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8, 9, 10];

/** The duration that was probably set where somewhat less was measured, because the clock was started late. */
export function usualDuration(ms: number): string {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  return inDuration(magnitude * (usual.find((each) => each * magnitude >= ms * 0.99) ?? 10));
}
