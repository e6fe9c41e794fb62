import { Load, type Metrics } from './load.ts';
import type { Sent } from './mixture.ts';

export { ArtilleryEngine } from './artilleryEngine.ts';
export type { Metrics } from './load.ts';

/** The request that Artillery's HTTP engine is about to make, as far as a processor changes it. */
export interface RequestParams {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  json?: unknown;
  followRedirect?: boolean;
  /** What the plugin `expect` looks at. */
  expect?: unknown;
}

/** One virtual user, as Artillery passes it. */
export interface VirtualUser {
  readonly vars: Readonly<Record<string, unknown>>;
}

/** By options: a script has them once, and each worker opens them once. */
const loads = new Map<string, Promise<Load>>();

const sent = new WeakMap<RequestParams, Sent>();

/** The option of a script that says what is delivered. */
const variable = 'seaworthy';

function loadOf({ vars }: VirtualUser): Promise<Load> {
  const { [variable]: options, target, $scenarioFile: script } = vars;
  const key = JSON.stringify([options, target, script]);
  const place = `config.variables.${variable}`;
  const given = { options, place, target: String(target), ...(typeof script === 'string' && { script }) };
  const load = loads.get(key) ?? Load.open(given);
  loads.set(key, load);
  return load;
}

/**
 * `beforeRequest` of Artillery's HTTP engine: makes the request the next delivery of the mixture, generated and signed. Its
 * body is a Buffer, because Artillery replaces `{{ }}` in texts once more. Redirects are not followed.
 *
 * @throws UsageError where `config.variables.seaworthy` cannot be, or the target is remote without leave
 */
export async function deliver(request: RequestParams, user: VirtualUser, metrics: Metrics): Promise<void> {
  const load = await loadOf(user);
  await load.target(URL.parse(request.url)?.origin ?? request.url);
  const next = load.send(userOf(user), metrics);
  const { method, headers, body } = next.delivery;
  const { acceptedStatuses } = load.plan.contract.delivery;
  sent.set(request, next);
  delete request.json;
  Object.assign(request, {
    method,
    body,
    headers: { ...request.headers, ...Object.fromEntries(headers) },
    followRedirect: false,
    expect: [next.kind === 'forged' ? { notStatusCode: acceptedStatuses } : { statusCode: acceptedStatuses }],
  });
}

/** `afterResponse` of Artillery's HTTP engine: judges the answer by the contract, and counts violations as metrics. */
export async function judge(
  request: RequestParams,
  response: { readonly statusCode: number },
  user: VirtualUser,
  metrics: Metrics,
): Promise<void> {
  const delivered = sent.get(request);
  if (delivered === undefined)
    throw new TypeError('judge comes after deliver: add "beforeRequest: deliver" to this request of the script');
  (await loadOf(user)).judge(delivered, response.statusCode, metrics);
}

/**
 * A `function` step: asks the probe whether anything that this virtual user sent was lost, or took effect too often. Counts
 * what it finds as metrics.
 *
 * @throws UsageError where the probe does not count
 */
export async function countEffects(user: VirtualUser, metrics: Metrics): Promise<void> {
  await (await loadOf(user)).countEffects(userOf(user), metrics);
}

function userOf({ vars }: VirtualUser): string {
  return String(vars['$uuid']);
}
