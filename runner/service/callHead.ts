import { randomUUID } from 'node:crypto';

import type { Operation } from '../../spec/contract.ts';
import { isSameName } from '../../spec/headerText.ts';
import { freshUuid } from '../../spec/operations.ts';
import { authorizationWith } from '../../spec/serviceTerms.ts';
import type { Header } from '../../suites/delivery.ts';
import type { CallOptions } from '../../suites/serviceKit.ts';
import type { RunState } from './runState.ts';

/** The value of the Authorization header with the user's key. */
export function authorizationOf({ plan }: Pick<RunState, 'plan'>): string {
  return authorizationWith(plan.terms, plan.token);
}

/** The headers of a call, beside those that every request has. */
export function headersOf(context: RunState, operation: Operation, how: CallOptions): readonly Header[] {
  const [declared = null] = Object.keys(operation.request);
  const usual = context.mediaTypes.get(operation.operationId) ?? declared;
  const mediaType = how.mediaType === undefined ? usual : how.mediaType;
  const authorization = how.authorization === undefined ? authorizationOf(context) : how.authorization;
  const own = [context.plan.terms.authorization.header, ...(how.headers ?? []).map(([name]) => name)];
  return [
    ['Accept', how.accept ?? acceptable(operation)],
    ...(authorization === null ? [] : [[context.plan.terms.authorization.header, authorization] as const]),
    ...(how.body === undefined || mediaType === null ? [] : [['Content-Type', mediaType] as const]),
    ...givenIn(operation, 'header').filter(([name]) => !own.some((each) => isSameName(each, name))),
    ...(how.headers ?? []),
  ];
}

/** The JSON media types of an operation's answers. */
function acceptable({ responses }: Operation): string {
  const types = new Set(Object.values(responses).flatMap((content) => Object.keys(content)));
  const json = [...types].filter((type) => /[/+]json$/.test(type));
  return json.length === 0 ? '*/*' : json.join(', ');
}

/** The path of a call, with its query. */
export function pathOf(operation: Operation, how: CallOptions): string {
  const { parameters = {}, respell = (plain) => plain } = how;
  const { path } = operation;
  const names = path.match(/\{[^}]+\}/g) ?? [];
  const filled = respell(path).replaceAll(/\{([^}]+)\}/g, (braces, name: string) => {
    // Documents call the id of a webhook otherwise.
    const value = parameters[name] ?? (names.length === 1 ? parameters['id'] : undefined);
    // A service may have said half of a character.
    return value === undefined ? braces : encodeURIComponent(value.toWellFormed());
  });
  const search = new URLSearchParams({ ...Object.fromEntries(givenIn(operation, 'query')), ...how.query }).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** What the contract has each call hold in its query or its headers. */
function givenIn({ parameters }: Operation, place: 'query' | 'header'): readonly Header[] {
  return parameters.flatMap(({ name, in: where, isSent, value }) =>
    where === place && isSent && value !== undefined
      ? [[name, value.replaceAll(freshUuid, () => randomUUID())] as const]
      : [],
  );
}
