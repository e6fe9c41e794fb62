import type { SignatureForm } from '../../../../spec/contractForm.ts';
import type { Draft } from './draft.ts';
import type { Guess, GuessedBlock, GuessedPlace } from './guessPlaces.ts';
import type { GuessedService } from './guessService.ts';

/** A draft as the text of a `contract.yaml`; what was guessed has a comment that says why. */
export function draftText(draft: Draft): string {
  const { title, source, openapi, method, mediaType, events, event, id, createdAt, accepts } = draft;
  const blocks = [
    '# A draft by seaworthy contract init. Look at every line with "guessed" and every one that is commented out, then run:',
    '#   seaworthy contract check <this file>',
    'contract: 1',
    `title: ${scalar(title)}`,
    source === undefined
      ? '# source: https://...   # where the provider promises all this; reports name it'
      : `source: ${scalar(source)}`,
    `openapi: ${scalar(openapi)}`,
    ...(method.value === 'POST' ? [] : [line('method', scalar(method.value), method)]),
    ...(mediaType.value === 'application/json' ? [] : [line('mediaType', scalar(mediaType.value), mediaType)]),
    line('event', placeText(event.value), event),
    id === undefined
      ? '# id: { at: $request.header.X-Delivery-Id }   # nothing looks like an id; without one no redelivery can be known'
      : line('id', placeText(id.value), id),
    ...(createdAt === undefined ? [] : [line('createdAt', placeText(createdAt.value), createdAt)]),
    line(
      'accepts',
      `[${accepts.value.map((each) => (typeof each === 'number' ? String(each) : scalar(each))).join(', ')}]`,
      accepts,
    ),
    '# How often a delivery is tried again after the first attempt, and how long an answer may take: the document does not say.',
    '# Checks of retries do not run until you write the number.',
    '# retries: 5',
    '# timeout: 10s',
    ...headerLines(draft.headers),
    ...signatureLines(draft.signature),
    ...(events === undefined ? [] : eventLines(events)),
    ...draft.leftOut.map((why) => `# ${oneLine(why)}`),
    ...(draft.service === undefined ? [] : serviceLines(draft.service)),
  ];
  return `${blocks.join('\n')}\n`;
}

function line(name: string, value: string, { why }: Pick<Guess<unknown>, 'why'>): string {
  return why === undefined ? `${name}: ${value}` : `# guessed: ${oneLine(why)}\n${name}: ${value}`;
}

function placeText(place: GuessedPlace): string {
  return `{ ${Object.entries(place)
    .map(([name, value]) => `${name}: ${scalar(String(value))}`)
    .join(', ')} }`;
}

/** The first line is a comment where no value is known: a header without one is no part of a contract. */
function headerLines(headers: Draft['headers']): readonly string[] {
  if (headers.length === 0) return [];
  const isKnown = headers.some(([, value]) => value !== undefined);
  return [
    '# guessed: the document requires these headers; give each the value that a delivery has',
    `${isKnown ? '' : '# '}headers:`,
    ...headers.map(([name, value]) =>
      value === undefined ? `#   ${name}: '...'   # the document shows no value` : `  ${name}: ${quoted(value)}`,
    ),
  ];
}

function signatureLines(signature: Guess<SignatureForm> | undefined): readonly string[] {
  if (signature === undefined) {
    return [
      '# No header of most webhooks is named like a signature, and no description names one. Where deliveries are signed, describe it:',
      "# signature: { headers: { X-Signature: 'sha256={digest}' } }",
    ];
  }
  const { headers, ...others } = signature.value;
  return [
    `# guessed: ${oneLine(signature.why ?? '')}`,
    'signature:',
    ...Object.entries(others).map(([name, value]) => `  ${name}: ${scalar(String(value))}`),
    '  headers:',
    ...Object.entries(headers).map(([name, template]) => `    ${name}: ${quoted(template)}`),
  ];
}

function eventLines({ value, why }: NonNullable<Draft['events']>): readonly string[] {
  return [
    `# guessed: each is ${oneLine(why ?? '')}; give each the name that a delivery calls it, and remove what is never sent`,
    'events:',
    ...value.map(
      ([name, pointer]) => `  ${scalar(name)}: ${pointer === undefined ? 'true' : `{ $ref: ${quoted(pointer)} }`}`,
    ),
  ];
}

/** Commented out where something is missing without which no contract loads. */
function serviceLines({ block, leftOut, missing }: GuessedService): readonly string[] {
  const lines = ['service:', ...blockLines(block, '  ')];
  const others = leftOut.map(({ value, why }) => `#   ${value}   # left out: ${oneLine(why ?? '')}`);
  const not = others.length === 0 ? [] : ['# These operations seem to belong to it, too:', ...others];
  if (missing === undefined) {
    const head =
      '# The API by which webhooks are registered, for tests of the service itself (seaworthy service). A receiver needs none of it.';
    return [head, ...lines, ...not];
  }
  return [
    '# The API by which webhooks seem to be registered. To test the service itself (seaworthy service), complete this block',
    `# as docs/contract-form.md of the package describes it, and take the comment signs away. Not used: ${oneLine(missing)}.`,
    ...lines.map((each) => `# ${each}`),
    ...not,
  ];
}

function blockLines(block: GuessedBlock, indent: string): readonly string[] {
  return Object.entries(block).flatMap(([name, each]) => {
    if (isGuess(each)) return [`${indent}${name}: ${scalarOf(each.value)}   # guessed: ${oneLine(each.why ?? '')}`];
    const lines = blockLines(each, `${indent}  `);
    return lines.length === 0 ? [] : [`${indent}${name}:`, ...lines];
  });
}

function isGuess(each: Guess<string | boolean> | GuessedBlock): each is Guess<string | boolean> {
  return ['string', 'boolean'].includes(typeof each['value']);
}

function scalarOf(value: string | boolean): string {
  return typeof value === 'string' ? scalar(value) : String(value);
}

/** A text as a YAML scalar: plain where nobody could take it for something else. */
function scalar(text: string): string {
  const isPlain =
    /^[$./A-Za-z][\w$./#-]*( [\w.-]+)*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) &&
    !text.includes(' #');
  return isPlain ? text : quoted(text);
}

function quoted(text: string): string {
  return /[\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
