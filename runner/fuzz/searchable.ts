import type { RunStarted } from '../../reports/model/events.ts';
import type { SessionParts } from '../engine/session.ts';
import type { Side, SideCheck } from '../engine/side.ts';
import type { Suite } from '../engine/suite.ts';
import { receiverSuite } from '../receiver/runReceiver.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { serviceSuite } from '../service/runService.ts';
import type { FuzzSubject } from './fuzzPlan.ts';
import { fuzzModels, type FuzzModels } from './fuzzChecks.ts';
import { ReceiverFuzzTarget } from './receiverFuzzTarget.ts';
import { ServiceFuzzTarget } from './serviceFuzzTarget.ts';
import type { SideFound, SideTarget } from './sideTarget.ts';

/** What is done with a target of sequences, whatever side it is made of. */
type TargetWork = <C extends SideCheck<Draw>, Kit, Draw, F extends SideFound>(
  target: SideTarget<C, Kit, Draw, F>,
) => Promise<void>;

/** A target of sequences that is not open yet, whatever side it will be made of. */
export interface Searchable {
  readonly target: RunStarted['target'];
  readonly secrets: Secrets;
  /** @param signal - ends it early */
  inSession(
    signal: AbortSignal,
    parts: Omit<SessionParts<never>, 'work'> & { readonly work: TargetWork },
  ): Promise<void>;
}

/** The one place where a search, or a replay of what it found, tells receivers from services. */
export function searchable(subject: FuzzSubject, models: Partial<FuzzModels> = {}): Searchable {
  const { receiver, service } = { ...fuzzModels, ...models };
  switch (subject.subject) {
    case 'receiver':
      return searchableSide(receiverSuite, subject.plan, (side) => new ReceiverFuzzTarget(side, receiver));
    case 'service': {
      // The second opinion takes a third of the kit's time, and the suites have it anyway.
      const plan = { ...subject.plan, secondOpinion: false };
      return searchableSide(serviceSuite, plan, (side) => new ServiceFuzzTarget(side, service));
    }
  }
}

function searchableSide<Plan, C extends SideCheck<Draw>, Kit, Draw, F extends SideFound, S extends Side<C, Draw, F>>(
  suite: Suite<Plan, C, Draw, F, S>,
  plan: Plan,
  targetOf: (side: S) => SideTarget<C, Kit, Draw, F>,
): Searchable {
  return {
    target: suite.target(plan),
    secrets: suite.secretsOf(plan),
    inSession: (signal, { work, ...parts }) =>
      suite.inSession({ ...plan, signal }, { ...parts, work: (side) => work(targetOf(side)) }),
  };
}
