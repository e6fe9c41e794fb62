import { amount } from '../../../../reports/text/amount.ts';
import { jsonText } from '../../../../reports/text/jsonText.ts';
import { visible } from '../../../../reports/text/visible.ts';
import type { SignatureScheme } from '../../../../spec/signature.ts';
import { UsageError } from '../../../errors.ts';
import { openContract } from '../../../options/openContract.ts';
import type { CommandInput } from '../../command.ts';
import { commandSettings } from '../../commandSettings.ts';
import { indented } from '../../../../reports/formats/terminal/page.ts';
import { checkOptions } from '../commands.ts';
import { type FailedSample, understood, type Understood } from './understood.ts';

/** What `seaworthy contract check` does. @returns the exit code */
export async function checkContract(input: CommandInput): Promise<number> {
  const { argument, programEnvironment } = input;
  const { stdout, documents } = programEnvironment;
  const settings = commandSettings(checkOptions, input);
  const contract = openContract({ contract: argument, openapi: settings.openapi });
  const found = understood(contract, Date.now());
  if (settings.json) documents.write(jsonText(found));
  else stdout.write(visible(understoodText(found, stdout.columns), '\n'));
  requireAll(found.samples, argument ?? contract.name);
  return 0;
}

const advice = {
  schema: {
    valid:
      'a JSON Schema for each event that at least one value meets, together with the envelope and the place of the event',
    next: 'correct the schema that is named, or remove the event with an overlay',
  },
  id: {
    valid: 'an id.form whose ids are valid where the schema of the event has them',
    next: 'correct id.form (integer where the schema has a number), or the schema there',
  },
  createdAt: {
    valid: 'a createdAt.form whose times are valid where the schema of the event has them',
    next: 'correct createdAt.form, or the schema there',
  },
} as const;

/** @throws UsageError where an event cannot be generated: a run could not send it */
function requireAll({ failed }: { readonly failed: readonly FailedSample[] }, contract: string): void {
  const [first] = failed;
  if (first === undefined) return;
  const others = failed.length === 1 ? '' : ` (and ${amount(failed.length - 1, 'other event')})`;
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `the contract ${contract} has an event of which no valid delivery can be made: ${first.event}: ${first.why}${others}`,
    ...advice[first.member ?? 'schema'],
  });
}

/** How many names of events and warnings are shown at first. */
const [firstNames, firstWarnings] = [8, 20];

/** What is understood of a contract, for a terminal. */
function understoodText(found: Understood, columns: number): string {
  const rows: readonly (readonly [name: string, texts: readonly string[]])[] = [
    ['source', [found.source ?? 'not said (source)']],
    ['events', [eventsText(found.events)]],
    ...placeRows(found),
    ...undescribedRows(found),
    ['deliveries', [deliveryText(found)]],
    ['accepted by', [found.delivery.accepts.join(', ')]],
    [
      'retries',
      [found.delivery.retries === 0 ? 'none promised' : `${found.delivery.retries} at most after the first attempt`],
    ],
    ['time-out', [timeoutText(found.delivery.timeout)]],
    [
      'signature',
      found.signature === undefined ? ['none: nothing is refused for its signature'] : signatureText(found.signature),
    ],
    ['service', rolesText(found)],
    ['requirements', requirementsText(found)],
    ['not applicable', notApplicableText(found)],
    ['left out', leftOutText(found)],
    ['samples', samplesText(found)],
  ];
  const indent = ' '.repeat(18);
  const lines = rows.flatMap(([name, texts]) =>
    texts.map((text, place) => {
      const first = `  ${(place === 0 ? name : '').padEnd(16)}`;
      // What is one word, such as a pointer, is to be copied: it stays on its line.
      return text.includes(' ') ? indented(text, columns, indent, first) : `${first}${text}`;
    }),
  );
  return `${[`${found.title} ${found.version}`, '', ...lines].join('\n')}\n`;
}

function eventsText(events: readonly string[]): string {
  const shown = events.slice(0, firstNames).join(', ');
  return `${events.length}: ${shown}${events.length > firstNames ? ', ... (--json lists all)' : ''}`;
}

const placeNames = {
  event: 'event',
  id: 'id',
  type: 'type',
  status: 'status',
  createdAt: 'created at',
  related: 'related',
};

function placeRows({ places }: Understood) {
  return (Object.keys(placeNames) as (keyof typeof placeNames)[]).map((name) => {
    const place = places[name];
    if (place === undefined || place === '') return [placeNames[name], ['not in a delivery']] as const;
    const form = 'form' in place ? ` (${place.form})` : '';
    return [placeNames[name], [`${place.at ?? ''}${form}`]] as const;
  });
}

function undescribedRows({ undescribed }: Understood) {
  if (undescribed.length === 0) return [];
  const texts = undescribed.map(
    ({ name, pointer, near }) =>
      `${name}: no event's schema has ${pointer}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
  return [['look at', texts] as const];
}

function deliveryText({ delivery: { method, mediaType, headers } }: Understood): string {
  const others = Object.keys(headers);
  return `${method}, ${mediaType}${others.length === 0 ? '' : `, with ${others.join(', ')}`}`;
}

function timeoutText(timeout: number | undefined): string {
  return timeout === undefined ? 'not said (timeout)' : `${timeout / 1000} s`;
}

function rolesText({ roles }: Understood): readonly string[] {
  if (roles === undefined) return ['not described: seaworthy service cannot test it'];
  return [
    Object.entries(roles)
      .map(([role, operation]) => `${role}: ${operation}`)
      .join(', '),
  ];
}

function requirementsText({ requirements }: Understood): readonly string[] {
  return (['receiver', 'service'] as const).flatMap((subject) => {
    const { must, should, may } = requirements[subject];
    const count = `of the ${subject}: ${must} MUST, ${should} SHOULD, ${may} MAY`;
    return must + should + may === 0 ? [] : [count];
  });
}

function notApplicableText({ notApplicable: { parts, checks, ofChecks } }: Understood): readonly string[] {
  if (checks.length === 0) return [`nothing: all ${ofChecks} checks run`];
  const what = parts.length === 0 ? 'what the contract does not promise' : parts.join(', ');
  return [what, `${checks.length} of ${ofChecks} checks do not run (--json names them)`];
}

function leftOutText({ leftOut }: Understood): readonly string[] {
  const reported = leftOut.filter(({ effect }) => effect !== 'ignored');
  if (reported.length === 0) return ['nothing'];
  const shown = reported.slice(0, firstWarnings).flatMap(({ pointer, message }) => [pointer, message]);
  const more = reported.length - firstWarnings;
  return more <= 0 ? shown : [...shown, `and ${more} others (--json lists all)`];
}

function samplesText({ samples: { proven, failed }, events, signature }: Understood): readonly string[] {
  const made = signature === undefined ? 'generated' : 'generated and signed';
  const reasons = [...Map.groupBy(failed, ({ why }) => why)].map(([why, those]) => {
    const names = those.map(({ event }) => event);
    return `${names.length === 1 ? names[0] : eventsText(names)}: ${why}`;
  });
  return [`${proven} of ${events.length} events: one delivery each was ${made}, and its body is valid`, ...reasons];
}

/** A signature in words: what is signed, with which key, what the headers hold, and how old it may be. */
function signatureText(scheme: SignatureScheme): readonly string[] {
  const { algorithm, digest, signed, headers, several, isList, tolerance } = scheme;
  return [
    `HMAC-${algorithm.toUpperCase()} over ${signed === '{body}' ? 'the raw body' : signed}, in ${digest}`,
    `key: ${keyText(scheme)}`,
    ...headers.map(({ name = '', template }) => `${name}: ${template}`),
    isList === undefined
      ? 'several: not said; no header holds more than one signature'
      : `several in one header, with ${JSON.stringify(several)} between them`,
    ...(signed.includes('{timestamp}') ? [toleranceText(tolerance)] : []),
  ];
}

function keyText({ key: { encoding, prefix } }: SignatureScheme): string {
  const bytes = encoding === 'utf8' ? "the secret's text (UTF-8)" : `the bytes that the secret holds in ${encoding}`;
  return prefix === '' ? bytes : `${bytes}, without ${prefix} before it`;
}

function toleranceText(tolerance: number | undefined): string {
  if (tolerance === undefined) return 'tolerance: none is promised; no timestamp is too old';
  return `tolerance: a timestamp more than ${tolerance / 1000} s away is refused`;
}
