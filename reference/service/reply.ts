import type { Problem, Reply } from './records.ts';

/** What JSON:API documents are sent as. */
const jsonApi = 'application/vnd.api+json';

/** An answer in JSON. @param mediaType - default: that of JSON:API */
export function jsonReply(status: number, value: unknown, mediaType: string = jsonApi): Reply {
  return { status, headers: { 'content-type': mediaType }, body: JSON.stringify(value) };
}

/** A refusal in the form of JSON:API. Its status is that of the first problem. */
export function refusalReply(problems: readonly Problem[]): Reply {
  const errors = problems.map(({ status, rule, pointer, parameter, detail }) => ({
    status: String(status),
    code: rule,
    title: titles[status] ?? 'Refused',
    detail,
    ...(parameter === undefined ? (pointer === '' ? {} : { source: { pointer } }) : { source: { parameter } }),
  }));
  return jsonReply(problems[0]?.status ?? 400, { errors });
}

const titles: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'The key is missing or wrong',
  403: 'Not from here',
  404: 'There is no such thing',
  405: 'The method is not allowed',
  409: 'The request contradicts itself',
  413: 'The body is too large',
  415: 'The media type is not taken',
  422: 'The request is invalid',
  429: 'Too many at once',
  500: 'The service failed',
};
