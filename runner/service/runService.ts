import type { RunEvent } from '../../reports/model/events.ts';
import type { ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { ServiceDraw } from '../../suites/serviceDraw.ts';
import { targetGone } from '../engine/death.ts';
import { runSuite, type Suite } from '../engine/suite.ts';
import { secretsOfService } from '../secrets/secretsOf.ts';
import type { ServicePlan } from './plan.ts';
import { inServiceSession } from './serviceSession.ts';
import type { ServiceSide } from './serviceSide.ts';

/**
 * Tests a service against the contract: see {@link runSuite}.
 *
 * @example for await (const event of runService(plan)) journal.write(event);
 */
export function runService(plan: ServicePlan): AsyncGenerator<RunEvent> {
  return runSuite(serviceSuite, plan);
}

/** The suite of services, as the engine runs it. */
export const serviceSuite: Suite<ServicePlan, ServiceCheck, ServiceDraw, ServiceFinding, ServiceSide> = {
  target: ({ base }) => ({ kind: 'service', address: base.href }),
  declared: () => [],
  secretsOf: secretsOfService,
  inSession: inServiceSession,
  async finish({ context }) {
    context.refusals.tell(context);
    for (const tell of context.doubtful) tell();
    await context.guardian.notice();
    if (!context.ended.aborted && !(await context.stillThere()))
      context.end(targetGone('service', 'before the run had ended'));
  },
};
