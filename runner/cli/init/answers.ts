import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

import { isShippedContract, type ShippedContract, shippedContracts } from '../../../spec/shippedContracts.ts';
import type { Project } from './project.ts';

/** What the files are written from. */
export interface Answers {
  readonly contract: ShippedContract;
  readonly url: string;
  readonly start?: string | undefined;
  readonly secretEnv?: string | undefined;
  readonly probe?: string | undefined;
}

/** Asks for one line. @returns the answer, or what is usual where it is empty */
export type Ask = (question: string, usual: string) => Promise<string>;

/** Usual values, for what nobody knows. */
const usual = { port: 3000, path: '/webhooks' } as const;

/** What can be seen, and usual values for the rest. */
export function seenAnswers({ contract, start, port, path, secretEnv }: Project): Answers {
  const url = `http://localhost:${port ?? usual.port}${path ?? usual.path}`;
  return { contract: contract ?? 'tracking', url, start, secretEnv };
}

/** The same, but that it asks for what cannot be seen. */
export async function askedAnswers(project: Project, ask: Ask): Promise<Answers> {
  const seen = seenAnswers(project);
  const isUrlSeen = project.port !== undefined && project.path !== undefined;
  const { contract, start, secretEnv } = project;
  return {
    contract: contract ?? (await askedContract(ask)),
    url: isUrlSeen ? seen.url : await askedUrl(ask, seen.url),
    start: start ?? optional(await ask('Command that starts your receiver (empty: you start it yourself)', '')),
    secretEnv: secretEnv ?? optional(await ask('Environment variable with its webhook secret (empty: none)', '')),
    probe: optional(
      await ask(
        'Address or command that says how often a notification took effect, with {id} in an address (empty: none yet)',
        '',
      ),
    ),
  };
}

async function askedContract(ask: Ask): Promise<ShippedContract> {
  const name = await ask(`Whose webhooks it takes: ${shippedContracts.join(', ')}`, shippedContracts[0]);
  return isShippedContract(name) ? name : askedContract(ask);
}

async function askedUrl(ask: Ask, seen: string): Promise<string> {
  const url = await ask('Address that takes webhooks', seen);
  return /^https?:\/\/./.test(url) && URL.canParse(url) ? url : askedUrl(ask, seen);
}

function optional(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/**
 * Asks on a terminal.
 *
 * @throws AbortError where the user ends it
 */
export async function onTerminal<Answer>(
  { input, output, signal }: { input: Readable; output: Writable; signal: AbortSignal },
  questions: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return await questions(async (question, given) => {
      const prompt = `${question}${given === '' ? '' : ` [${given}]`}: `;
      const answer = await lines.question(prompt, { signal: AbortSignal.any([signal, ended.signal]) });
      return answer.trim() === '' ? given : answer.trim();
    });
  } finally {
    lines.close();
  }
}
