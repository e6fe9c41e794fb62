import { expect, it } from 'vitest';

import { suspicion, type TargetDeath } from '../../../runner/process/supervisedCase.ts';
import type { Answer } from '../../../suites/delivery.ts';

const end = { reason: 'the receiver went away', advice: 'Start it again.' };
const death: TargetDeath = { how: 'went away', number: 1 };

it('says what the last answer was, where a target ended before any case began', () => {
  const answered: Answer = { kind: 'answered', status: 200, headers: [], body: '', ms: 5 };
  const { reason, advice } = suspicion(end, death, { suspects: [], answered });
  expect(reason).toBe(
    'the receiver went away. Nothing but plain requests had been sent, and the last answer was 200 OK',
  );
  expect(advice).toMatch(/^It may have ended by what it does after such an answer: .* Start it again\.$/);
});

it('says no more where nothing was ever answered', () => {
  expect(suspicion(end, death, { suspects: [], answered: undefined })).toEqual(end);
});
