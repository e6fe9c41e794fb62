import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { engine_util } from '@artilleryio/int-commons';
import HttpEngine from '@artilleryio/int-core/lib/engine_http.js';

import * as processor from '../../../runner/load/artillery.ts';
import { parseYaml } from '../../../spec/parseYaml.ts';
import { blocks } from '../../docs/documents.ts';

/** What came of some virtual users: counters and errors by name, and how each of them began and ended. */
export interface Outcome {
  readonly counts: Readonly<Record<string, number>>;
  readonly started: number;
  /** Of each user, as often as it was done. */
  readonly ended: readonly (Error | null)[];
}

interface LoadOptions {
  readonly target: string;
  /** What stands in `config.variables.seaworthy`, or in `config.engines.seaworthy`. */
  readonly options: object;
  readonly users: number;
  /** Deliveries of each of them. */
  readonly deliveries: number;
}

interface Script {
  readonly config: Readonly<Record<'variables' | 'engines', { readonly seaworthy: object } | undefined>>;
  readonly scenarios: readonly [{ readonly flow: readonly object[] }];
}

/** Those of the documents. */
const [processorScript, engineScript] = blocks('docs/load.md', 'yaml').map((text) => parseYaml(text) as Script);
const scripts = { processor: processorScript!, engine: engineScript! };

/** With fewer deliveries in its loop. */
function shortened(flow: Script['scenarios'][0]['flow'], count: number): readonly Readonly<Record<string, unknown>>[] {
  return flow.map((step) => ('loop' in step ? { ...structuredClone(step), count } : { ...step }));
}

type Scenario = ReturnType<processor.ArtilleryEngine['createScenario']>;

/** Lets virtual users run through Artillery's own HTTP engine, with the processor. */
export async function throughProcessor({ target, options, users, deliveries }: LoadOptions): Promise<Outcome> {
  const { config, scenarios } = scripts.processor;
  const engine = new HttpEngine({ config: { ...config, target: new URL(target).origin, processor: { ...processor } } });
  await engine.init();
  const flow = shortened(scenarios[0].flow, deliveries);
  const vars = { target, seaworthy: { ...config.variables?.seaworthy, probe: undefined, ...options } };
  return outcomeOf(users, vars, (metrics) => engine.createScenario({ flow }, metrics));
}

/** Lets virtual users run through the engine, with the steps that Artillery gives to engines. */
export async function throughEngine({ target, options, users, deliveries }: LoadOptions): Promise<Outcome> {
  const { config, scenarios } = scripts.engine;
  const seaworthy = { ...config.engines?.seaworthy, probe: undefined, ...options };
  const engine = new processor.ArtilleryEngine({ config: { target, engines: { seaworthy } } }, null, engine_util);
  await engine.init();
  const flow = shortened(scenarios[0].flow, deliveries);
  const outcome = await outcomeOf(users, { target }, (metrics) => engine.createScenario({ flow }, metrics));
  await engine.close();
  return outcome;
}

/** @param open - compiles the scenario with the events of its users */
async function outcomeOf(users: number, vars: object, open: (metrics: EventEmitter) => Scenario): Promise<Outcome> {
  const counts: Record<string, number> = {};
  const ended: (Error | null)[] = [];
  let started = 0;
  const count = (name: string, by: number): void => void (counts[name] = (counts[name] ?? 0) + by);
  const metrics = new EventEmitter();
  metrics.on('counter', count).on('error', (code) => count(`errors.${String(code)}`, 1));
  metrics.on('started', () => (started += 1));
  const scenario = open(metrics);
  const run = (): Promise<void> =>
    new Promise((resolve) =>
      scenario({ vars: { ...vars, $uuid: randomUUID() } }, (error) => {
        ended.push(error);
        resolve();
      }),
    );
  await Promise.all(Array.from({ length: users }, run));
  return { counts, started, ended };
}
