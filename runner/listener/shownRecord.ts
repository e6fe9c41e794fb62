import { describeAnswer } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import { describeStep } from '../service/serviceTimeline.ts';
import type { CaughtRecord } from './deliveryStore.ts';
import type { ListedDelivery, ShownDelivery, SpokenAnswer, WholeAnswer } from './pageData.ts';

/** A delivery as the list of the page shows it. */
export function listedRecord(record: CaughtRecord): ListedDelivery {
  const { number, at, group, event, caught, pause, judgement, forwarded, resent } = record;
  const { findings } = judgement;
  const gravest = findings.find(({ level }) => level === 'broken') ?? findings[0];
  const answered = answerGiven(record);
  return {
    number,
    at,
    group,
    id: caught.key,
    event,
    attempt: caught.number,
    method: caught.method,
    path: caught.path,
    bytes: caught.bytes,
    ...(pause !== undefined && { pause }),
    ...(gravest && { problem: { check: gravest.check, level: gravest.level, actual: gravest.actual } }),
    findings: findings.length,
    ...(answered && { answered }),
    ...(forwarded && { forwarded: spoken(forwarded) }),
    resent: resent.length,
  };
}

/** A delivery with all that the page shows of it. */
export function shownRecord(record: CaughtRecord): ShownDelivery {
  const { caught, judgement, forwarded, executed, resent } = record;
  return {
    ...listedRecord(record),
    headers: caught.headers,
    body: caught.body.toString('base64'),
    peer: caught.peer,
    found: judgement.findings,
    asked: judgement.asked.length,
    ...(forwarded && { receiver: whole(forwarded) }),
    ...(executed && { executed }),
    sentAgain: resent.map(({ answer, ...each }) => ({ ...each, answer: whole(answer) })),
  };
}

function answerGiven({ caught: { step, end, at } }: CaughtRecord): SpokenAnswer | undefined {
  if (end === undefined) return undefined;
  const status = end.kind === 'answered' ? { status: end.status } : {};
  return { words: describeStep(step, end), ...status, ms: Math.max(0, end.at - at) };
}

function spoken(answer: Answer): SpokenAnswer {
  const status = answer.kind === 'answered' ? { status: answer.status } : {};
  return { words: describeAnswer(answer), ...status, ms: answer.ms };
}

function whole(answer: Answer): WholeAnswer {
  const { headers, body } = answer.kind === 'answered' ? answer : { headers: [], body: '' };
  return { ...spoken(answer), headers, body };
}
