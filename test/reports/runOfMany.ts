import type { RunEvent } from '../../reports/model/events.ts';
import { delivered, failingRun } from './madeUpRun.ts';

/** The failing run with so many deliveries instead of its own: of all these events, for all its checks, some refused. */
export function* runOfMany(deliveries: number, names: readonly string[]): Generator<RunEvent> {
  const run = failingRun().filter(({ type }) => type !== 'delivery.finished');
  const checks = run.flatMap((event) => (event.type === 'check.started' ? [event.check] : []));
  const start = run.findLastIndex(({ type }) => type === 'check.started') + 1;
  yield* run.slice(0, start);
  for (let index = 0; index < deliveries; index++) {
    yield delivered({
      ms: index / 10,
      check: checks[index % checks.length]!,
      case: index,
      id: `dd4cc9a4-0000-4000-8000-${String(index).padStart(12, '0')}`,
      event: names[index % names.length]!,
      answer: { kind: 'answered', status: index % 7 === 0 ? 401 : 200, ms: 1 + ((index * 7919) % 400) / 10 },
    });
  }
  yield* run.slice(start);
}
