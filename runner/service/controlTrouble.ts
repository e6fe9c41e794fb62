import { authorizationWith } from '../../spec/serviceTerms.ts';
import { describeAnswer, hasStatusClass } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Call } from '../../suites/exchange.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import { isPage } from '../http/isPage.ts';
import { mayBeElsewhere, noAnswerEnd } from '../http/noAnswer.ts';
import type { ServiceContext } from './createContext.ts';

/** Why the run cannot go on where the control failed. */
export async function controlTrouble({ plan }: ServiceContext, { answer }: Call): Promise<RunEnd> {
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
