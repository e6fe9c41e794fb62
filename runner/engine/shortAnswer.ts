import type { Answer } from '../../suites/delivery.ts';
import type { ShortAnswer } from '../../reports/model/events.ts';

/** An answer as the journal keeps it: without its headers and its body. */
export function shortAnswer(answer: Answer): ShortAnswer {
  const ms = Number(answer.ms.toFixed(2));
  switch (answer.kind) {
    case 'answered':
      return { kind: answer.kind, status: answer.status, ms };
    case 'broken':
      return { kind: answer.kind, code: answer.code, ms };
    case 'timed-out':
      return { kind: answer.kind, ms };
  }
}
