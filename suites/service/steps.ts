import { sizeText } from '../../spec/units.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Header } from '../delivery.ts';
import type { AnswerForm, CatchScript, CatchStep } from '../exchange.ts';

/** A whole answer. */
export type Respond = Extract<CatchStep, { do: 'respond' }>;

/** An answer with the first status that ends a delivery. */
export function accept({ delivery }: Contract): CatchStep {
  return { do: 'respond', status: delivery.acceptedStatuses[0] };
}

/** An answer with a status that does not end a delivery. Default: 503, which asks for a retry and nothing else. */
export function refuse(status = 503, headers: readonly Header[] = []): Respond {
  return { do: 'respond', status, headers };
}

/** The same step so many times, then acceptance. */
export function acceptAfter(failures: number, step: CatchStep, contract: Contract): CatchScript {
  return [...Array.from({ length: failures }, () => step), accept(contract)] as unknown as CatchScript;
}

/** A step in a few words: "an answer of 503", "no answer at all". */
export function describeStep(step: CatchStep): string {
  switch (step.do) {
    case 'respond':
      return `an answer of ${step.status}${step.form === undefined ? '' : forms[step.form]}${bodyOf(step)}`;
    case 'hang':
      return 'no answer at all';
    case 'reset':
      return `a connection that broke ${breaks[step.when]}`;
    case 'close':
      return closed[step.when];
    case 'endless':
      return `an answer of ${step.status} whose body does not end`;
    case 'trickle':
      return `an answer of ${step.status} that comes byte by byte`;
    case 'slow-read':
      return `an answer of ${step.status} to a request that was read slowly`;
  }
}

/** The beginning of a text, with what has no sign in escapes. */
function shown(text: string): string {
  const start = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return start.replaceAll('\0', String.raw`\0`);
}

/** What is unusual about the body or the headers of an answer, as words that follow its status. */
function bodyOf({ body, bodyBytes, headers = [] }: Respond): string {
  const named = headers
    .filter(([name]) => name !== 'Content-Type' && name !== 'Location')
    .map(([name, value]) => `${name}: ${value}`);
  const parts = [
    ...(bodyBytes === undefined ? [] : [`a body of ${sizeText(bodyBytes)}`]),
    ...(body === undefined ? [] : [`the body ${shown(body)}`]),
    ...named,
  ];
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}

/** Every form, as a simple server or a proxy in front of one may write it, with a body that another coding, or a column of text, takes for broken. */
export function formed(step: Partial<Respond> & Pick<Respond, 'status'>): readonly Respond[] {
  return (Object.keys(forms) as AnswerForm[]).map((form) => ({ ...step, do: 'respond', form, body: 'caf\u00e9\0' }));
}

const forms: Readonly<Record<AnswerForm, string>> = {
  'HTTP/1.0': ' in HTTP/1.0',
  'no reason': ' without a reason phrase',
  gzip: ' in gzip',
  'Latin-1': ' in Latin-1',
};

const breaks = {
  before: 'before any answer',
  during: 'within the head of the answer',
  after: 'within the body of the answer',
};

const closed = {
  before: `a connection that was closed ${breaks.before}`,
  during: 'a connection that was closed within the first line of the answer',
  instead: 'an answer that is no HTTP',
};
