import type { ServerResponse } from 'node:http';

/** What a server of the kit says where it cannot go on: problem details (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly title: string;
  /** What was received, what is valid, what to do. */
  readonly detail: string;
}

/** Answers with a problem. The connection is closed after it, for what is left of the request is not read. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  response.writeHead(problem.status, { 'content-type': 'application/problem+json', connection: 'close' });
  response.end(`${JSON.stringify(problem)}\n`);
}
