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
import { noOpinions, openOpinions } from './opinions.ts';
import { createContext, type ServiceContext } from './serviceContext.ts';
import { serviceControl } from './control.ts';
import { reportedExchange } from './counterexample.ts';
import { textAt } from './located.ts';
import { authorizationWith } from '../../spec/serviceTerms.ts';
import { describeAnswer, hasStatusClass } from '../../suites/answer.ts';
import type { Answer, Header } from '../../suites/delivery.ts';
import type { Call, CatchStep } from '../../suites/exchange.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import { isPage, mayBeElsewhere, noAnswerEnd } from '../http/noAnswer.ts';
import type { Json } from '../../generators/json/json.ts';
import { valueAt, withPlace } from '../../generators/json/jsonPointer.ts';
import type { Contract } from '../../spec/contract.ts';
import { parsed } from './answers.ts';

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

/** Why the run cannot go on where the control failed. */
async function controlTrouble({ plan }: ServiceContext, { answer }: Call): Promise<RunEnd> {
  const end = await noAnswerEnd({ subject: 'service', url: plan.base, access: plan }, answer);
  if (end !== undefined || answer.kind !== 'answered') return end ?? { reason: describeAnswer(answer) };
  const what = describeAnswer(answer);
  const reason = `${suspectOf(plan.token, answer.status)}: a plain webhook was not created, the service answered ${what}`;
  return { reason, advice: adviceOf(plan, answer), kitWords: true };
}

/** What of that which the user gave may be wrong, by the answer to a plain creation. */
function suspectOf(token: string, status: number): string {
  if (status < 400 || mayBeElsewhere(status)) return 'The address may be wrong';
  if ([401, 403].includes(status)) return token === '' ? 'The API key is missing' : 'The API key may be wrong';
  if ([400, 409, 415, 422].includes(status))
    return 'The contract may be another, or the service does not take an endpoint at the address of the kit';
  return `${status >= 500 ? 'The service fails, or the' : 'The'} address, the API key or the contract may be wrong`;
}

function adviceOf({ token, terms }: ServiceContext['plan'], answer: Answer): string {
  if (token === '') return 'No API key was given: give --token (or SEAWORTHY_TOKEN).';
  const usual =
    'Check --token and the base address (with the version, where it has one). If the service refuses the endpoint of the kit, give --catcher with an address that it takes.';
  const first = [
    ...(hasStatusClass(answer, 5)
      ? ['With this status a service says that it failed, or is not ready: its log may say of what.']
      : []),
    ...(isPage(answer)
      ? [
          'It answered with an HTML page: a website is at this address, or something before the API answered, such as a login or a proxy.',
        ]
      : []),
    ...(answer.kind === 'answered' && [401, 403].includes(answer.status) ? [sentAs(terms)] : []),
  ];
  return [...first, usual].join(' ');
}

function sentAs(terms: ServiceContext['plan']['terms']): string {
  const { header } = terms.authorization;
  return `The key was sent as "${header}: ${authorizationWith(terms, '<key>')}": --token takes the key alone, and the key must be one that may create webhooks.`;
}

/**
 * How the contract's verification of a URL is answered; nothing where it has none, or the request is something else. A receiver
 * answers it with success whatever it makes of deliveries: a service may create a webhook only then.
 */
export function verificationAnswer(
  { service, delivery }: Contract,
  body: Buffer,
  headers: readonly Header[],
): CatchStep | undefined {
  if (service?.verification === undefined) return undefined;
  const { at, value, echo } = service.verification;
  const text = textAt({ body, headers }, at);
  if (text === '' || (value !== undefined && text !== value)) return undefined;
  const [status] = delivery.acceptedStatuses;
  const held = echo === undefined ? undefined : valueAt(parsed(body.toString()) ?? null, echo);
  if (echo === undefined || held === undefined) return { do: 'respond', status };
  const answer = JSON.stringify(withPlace({}, echo, held as Json));
  return { do: 'respond', status, body: answer, headers: [['Content-Type', 'application/json']] };
}
