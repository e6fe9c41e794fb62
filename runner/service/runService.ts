import { hash } from 'node:crypto';

import type { RunEvent } from '../../reports/model/events.ts';
import type { ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { ServiceDraw } from '../../suites/draw.ts';
import { targetGone } from '../engine/death.ts';
import { runSuite, type Suite } from '../engine/suite.ts';
import { secretsOfService } from '../secrets/confided.ts';
import type { ServicePlan } from './plan.ts';
import { ServiceSide } from './serviceSide.ts';
import { openAuthority } from '../catcher/authority.ts';
import { createCatcher, type Catcher, type CatcherOptions } from '../catcher/catcher.ts';
import { listenFailed } from '../http/listen.ts';
import { inSession, type PositiveControl, type SessionParts } from '../engine/session.ts';
import { createContext, noOpinions, openOpinions, type ServiceContext } from './createContext.ts';
import { serviceControl } from './control.ts';
import { controlTrouble } from './controlTrouble.ts';
import { reportedExchange } from './counterexample.ts';
import { textAt } from './located.ts';
import { verificationAnswer } from './verification.ts';

/**
 * Tests a service against the contract. Nothing is sent before the first event is asked for. The events begin with
 * `run.started` and end with `run.finished`, also where the run is ended early.
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
    context.creations.tell(context);
    for (const tell of context.doubtful) tell();
    await context.guardian.notice();
    if (!context.ended.aborted && !(await context.stillThere())) context.end(targetGone('service'));
  },
};

/**
 * Connects the kit to a service, its endpoints included, and does something with it: see {@link inSession}.
 *
 * @throws UsageError where the service cannot be started, or the kit cannot listen, as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inServiceSession(plan: ServicePlan, parts: SessionParts<ServiceSide>): Promise<void> {
  await inSession(plan, secretsOfService(plan), (given) => open(plan, given), parts);
}

async function open(plan: ServicePlan, given: Pick<ServiceContext, 'secrets' | 'elapsed' | 'emit' | 'deadline'>) {
  const running: { context?: ServiceContext } = {};
  const catcher = await openCatcher(plan, () => given.elapsed());
  try {
    // It takes a while to load, and nothing should keep an endpoint from answering later.
    const opinions = plan.secondOpinion ? await openOpinions(plan.contract, given.emit) : noOpinions;
    const reaching: ServicePlan = { ...plan, onRefused: ({ end }) => running.context?.end(end) };
    const context = await createContext(reaching, { ...given, catcher, opinions });
    running.context = context;
    return {
      context,
      control: () => control(context),
      leave: () => context.removeWebhooks().finally(() => opinions.finish()),
      close: () => close(context),
    };
  } catch (error) {
    await catcher.close();
    throw error;
  }
}

async function close({ lateness, catcher, api }: ServiceContext): Promise<void> {
  lateness.stop();
  await Promise.allSettled([catcher.close(), api.close()]);
}

async function control(context: ServiceContext): Promise<PositiveControl<ServiceSide>> {
  const { creation, events, instead } = await serviceControl(context);
  const attempt = reportedExchange(context, creation, '');
  if (events === undefined) return { attempt, trouble: await controlTrouble(context, creation) };
  return { attempt, side: new ServiceSide(context, events), ...(instead !== undefined && { instead }) };
}

async function openCatcher(plan: ServicePlan, elapsed: () => number): Promise<Catcher> {
  const protocol = plan.catcher === undefined ? protocolOf(plan.base) : 'http';
  const { id } = plan.contract.delivery;
  const { catcherListen: listen = anywhere } = plan;
  const options: CatcherOptions = {
    protocol,
    listen,
    ...(plan.catcher && { address: plan.catcher }),
    ...(plan.catcherHost !== undefined && { name: plan.catcherHost }),
    ...(protocol === 'https' && { authority: await openAuthority(plan.authorityDirectory) }),
    keyOf: (body, headers) => (id === undefined ? idOfBody(body) : textAt({ body, headers }, id.at)),
    answerBeside: (body, headers) => verificationAnswer(plan.contract, body, headers),
    elapsed,
  };
  const port = listen.port === 0 && plan.catcher === undefined ? earlierPort(plan) : undefined;
  const opened = () => createCatcher(options);
  const opening =
    port === undefined ? opened() : createCatcher({ ...options, listen: { ...listen, port } }).catch(opened);
  return opening.catch((cause: unknown) => {
    throw listenFailed(listen, cause, '--catcher-listen');
  });
}

/** Loopback, and a port that the system chooses. */
const anywhere = { host: '127.0.0.1', port: 0 } as const;

/** Where retries of an earlier sitting still come to. Another program may have that port by now. */
function earlierPort({ earlier }: ServicePlan): number | undefined {
  const port = Number(URL.parse(earlier?.awaited.at(-1)?.url ?? '')?.port ?? '');
  return port === 0 ? undefined : port;
}

function protocolOf({ protocol }: URL): 'http' | 'https' {
  return protocol === 'https:' ? 'https' : 'http';
}

/** What stands for the id under a contract that has none: attempts with the same body are of one delivery then. */
function idOfBody(body: Buffer): string {
  return hash('sha256', body).slice(0, 32);
}
