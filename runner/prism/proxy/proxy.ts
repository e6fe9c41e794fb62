import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Agent } from 'undici';

import type { Contract } from '../../../spec/contract.ts';
import type { Access } from '../../http/access.ts';
import { below } from '../../http/basePath.ts';
import { boundedBody, bodyLimit } from '../../http/boundedBody.ts';
import { createAgent } from '../../http/createPool.ts';
import { closeServer, listen } from '../../http/listen.ts';
import type { ListenOptions } from '../../http/listen.ts';
import { prismOperations } from '../prismOperations.ts';
import { type Problem, sendProblem } from '../../engine/problem.ts';
import { forward } from './forward.ts';
import { createJudge } from './judgeCall.ts';
import type { PassedCall } from './passedCall.ts';
import { headerPairs } from './passingHeaders.ts';

/** What a proxy stands before, and who hears of it. */
export interface ProxyOptions extends ListenOptions, Access {
  /** The base address of the service. */
  readonly target: URL;
  /** Called for each call once its answer has gone through. */
  readonly onCall: (call: PassedCall) => void;
}

/** A proxy that runs. */
export interface RunningProxy {
  /** The base address to use in place of the service's own. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Stands between a client and a service. Bytes and headers go on as they came; Prism judges a copy of them.
 *
 * @throws UsageError where it cannot listen there, KitError where Prism cannot read the contract
 */
export async function startProxy(contract: Contract, options: ProxyOptions): Promise<RunningProxy> {
  const judge = createJudge(contract, [...(await prismOperations(contract))]);
  const agent = createAgent(options, 10_000);
  const server = createServer((request, response) => {
    void pass({ ...options, judge, agent }, request, response);
  });
  const origin = await listen(server, options);
  return {
    url: origin + baseOf(options.target),
    async close() {
      await closeServer(server);
      await agent.destroy();
    },
  };
}

interface Passage extends Pick<ProxyOptions, 'target' | 'onCall'> {
  readonly judge: ReturnType<typeof createJudge>;
  readonly agent: Agent;
}

async function pass(passage: Passage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { target, onCall, judge, agent } = passage;
  const { method = 'GET', url = '/' } = request;
  const body = await boundedBody(request);
  if (body === 'broken') return;
  if (body === 'too long') return sendProblem(response, tooLarge);
  const headers = headerPairs(request.rawHeaders);
  const path = below(baseOf(target), url);
  const answer = await forward({ agent, origin: target.origin, method, url, headers, body }, response);
  const seen = { method, path, headers, body };
  if ('status' in answer) {
    onCall({ method, path: path ?? url, status: answer.status, ...judge(seen, answer) });
  } else {
    const problem = noAnswer(target, answer.failure);
    if (!response.destroyed) sendProblem(response, problem);
    onCall({ method, path: path ?? url, status: problem.status, ...judge(seen, undefined), failure: answer.failure });
  }
}

function baseOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

const tooLarge: Problem = {
  status: 413,
  title: 'Too large for the proxy',
  detail: `The body has more than ${bodyLimit} bytes, which the proxy does not pass on. Send it to the service itself.`,
};

function noAnswer({ origin }: URL, failure: string): Problem {
  return {
    status: 502,
    title: 'No answer from the service',
    detail: `${origin} gave no answer (${failure}). Start the service, or give the proxy the address where it runs.`,
  };
}
