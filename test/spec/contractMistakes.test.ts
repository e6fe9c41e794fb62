import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Contract, ContractError, loadContract } from '../../spec/contract.ts';
import { textsBeside } from '../../spec/contractFiles.ts';

const right = `contract: 1
title: Parcel Post
event: { at: $request.body#/type }
id: { at: $request.body#/id, form: 'ntf_[a-z0-9]{20}' }
accepts: [2XX]
retries: 5
timeout: 10s
signature:
  signed: '{timestamp}.{body}'
  tolerance: 5m
  headers: { Parcel-Signature: 't={timestamp},v1={digest}' }
envelope: { type: object, required: [id], properties: { id: { type: string } } }
events:
  parcel.sent: true
`;

/** What somebody wrote instead of what, and what the error has to say. */
const mistakes: readonly (readonly [mistake: string, from: string, to: string, ...says: string[]])[] = [
  ['a misspelt member', 'retries: 5', 'retrys: 5', 'the member "retrys", which is unknown: did you mean "retries"?'],
  ['the name that another program has', 'retries: 5', 'max_retries: 5', 'which is unknown: did you mean "retries"?'],
  [
    'two mistakes, in two members',
    'retries: 5\ntimeout: 10s',
    'retries: many\ntimeout: 10',
    '/retries is "many"; valid is',
    '/timeout is 10; valid is',
  ],
  ['another name in the signature', '  signed:', '  encoding: hex\n  signed:', 'did you mean "digest"?'],
  ['a tolerance without its unit', '5m', '300', '/signature/tolerance is 300; valid is a whole number with its unit'],
  [
    'a misspelt member of the signature',
    'tolerance:',
    'tolerence:',
    '/signature has the member',
    'did you mean "tolerance"?',
  ],
  [
    'no event',
    'event: { at: $request.body#/type }\n',
    '',
    'lacks event',
    'for example event: {"at":"$request.body#/type"}',
  ],
  [
    'an event whose schema has another name',
    'parcel.sent: true',
    'parcel.sent: { properties: { type: { const: parcel_sent } } }',
    '#/events/parcel.sent allows only "parcel_sent" at /type',
    'Call the event "parcel_sent" in events too',
  ],
  ['no version of the form', 'contract: 1\n', '', 'lacks contract'],
  ['another version of the form', 'contract: 1', 'contract: 2', '/contract is 2; valid is 1.'],
  [
    'a location that is no expression',
    '$request.body#/type',
    'body.type',
    '/event/at is "body.type"',
    'such as "$request.header.X-Event"',
  ],
  [
    'a pointer without its slash',
    '$request.body#/type',
    '$request.body#type',
    '/event/at is "$request.body#type"',
    '"$request.body#/data/type"',
  ],
  [
    'a location alone',
    '{ at: $request.body#/type }',
    '$request.body#/type',
    'valid is a mapping such as {"at":"$request.body#/type"}',
  ],
  ['a template without {digest}', 'v1={digest}', 'v1=', 'one of them with {digest} (X-Signature: sha256={digest})'],
  ['a template with an unknown name', '{digest}', '{dijest}', '"t={timestamp},v1={dijest}"', 'did you mean "digest"?'],
  [
    'a body that is not signed',
    '{timestamp}.{body}',
    '{timestamp}',
    '/signature/signed is "{timestamp}"',
    'such as "{timestamp}.{body}"',
  ],
  [
    'a timestamp that does not come along',
    't={timestamp},v1={digest}',
    '{digest}',
    'carry {timestamp} too, because it is signed',
  ],
  ['a tolerance of no timestamp', "'{timestamp}.{body}'", "'{body}'", 'sign {timestamp}, or leave the tolerance out'],
  [
    'a name for a mapping',
    '  signed:',
    '  algorithm: sha-256\n  signed:',
    '/signature/algorithm is "sha-256"',
    'did you mean "sha256"?',
  ],
  ['a status in small letters', '[2XX]', '[2xx]', '/accepts/0 is "2xx"; valid is a value such as 200 or "2XX"'],
  ['one status for a list', '[2XX]', '200', '/accepts is 200; valid is a list such as ["2XX"]'],
  ['words for a number', 'retries: 5', 'retries: five', '/retries is "five"; valid is a whole number such as 5'],
  [
    'a time without its unit',
    '10s',
    '10',
    '/timeout is 10; valid is a whole number with its unit (ms, s, m, h) such as "10s"',
  ],
  [
    'a file that is not there',
    'events:',
    'openapi: ./nowhere.yaml\nevents:',
    'nowhere.yaml cannot be read (there is no such file)',
  ],
  [
    'an unknown requirement',
    'events:',
    'requirements: { IDM1: false }\nevents:',
    'names IDM1, which is no general requirement: did you mean "IDM-1"',
  ],
  [
    'a level in capital letters',
    'events:',
    'requirements: { IDM-1: { level: MUST } }\nevents:',
    'one of must, should, may (did you mean "must"?)',
  ],
  [
    'an event listed twice',
    'parcel.sent: true',
    'parcel.sent: true\n  parcel.sent: true',
    'duplicated mapping key at line 15, column 3.',
  ],
  [
    'a list of events',
    'parcel.sent: true',
    '- parcel.sent',
    '/events is ["parcel.sent"]; valid is a mapping such as {"order.paid":true}',
  ],
  [
    'no events',
    'events:\n  parcel.sent: true\n',
    '',
    'Name an OpenAPI document with webhooks (openapi, or --openapi), or list the events (events)',
  ],
  [
    'a name for a header of a signature',
    '  headers:',
    '  header:',
    '/signature has the member "header"',
    'did you mean "headers"?',
  ],
  [
    'a form that only one id has',
    'ntf_[a-z0-9]{20}',
    'uuid4',
    '/id/form is "uuid4"; valid is uuid, integer, or a regular expression',
    'did you mean "uuid"?',
  ],
  ['a time-out of nothing', '10s', '0s', '/timeout is "0s"; valid is a whole number with its unit'],
  [
    'a header of two lines',
    'events:',
    'headers: { X-A: "b\\nc" }\nevents:',
    '/headers/X-A is "b\\nc"; valid is a text such as "3"',
  ],
  ['a header with a space in its name', 'events:', 'headers: { X A: b }\nevents:', '/headers is "X A"; valid is'],
  [
    'a misspelt type',
    'type: object',
    'type: objekt',
    '/envelope/type is "objekt"; valid is one of null,',
    'did you mean "object"?',
  ],
  [
    'a misspelt keyword',
    'required: [id]',
    'requird: [id]',
    '/envelope has the keyword "requird"',
    'did you mean "required"?',
  ],
  [
    'a text for a list',
    'required: [id]',
    'required: id',
    '/envelope/required is "id"; valid is a list of texts. Correct it.',
  ],
  [
    'a pattern that is no regular expression',
    'id: { type: string }',
    'id: { type: string, pattern: "[a-" }',
    '/envelope/properties/id/pattern is "[a-"; valid is a regular expression',
  ],
  [
    'bounds that exclude each other',
    'parcel.sent: true',
    'parcel.sent: { properties: { note: { minLength: 5, maxLength: 4 } } }',
    '/events/parcel.sent/properties/note/minLength is 5; valid is no more than maxLength, which is 4.',
  ],
  [
    'a reference that leads nowhere',
    'parcel.sent: true',
    'parcel.sent: { $ref: "#/$defs/Sent" }',
    '/events/parcel.sent/$ref is "#/$defs/Sent"; valid is a pointer that leads somewhere',
    'into the $defs of this schema or of the envelope (#/$defs/Name)',
  ],
  [
    'a header that says two things',
    'event: { at: $request.body#/type }',
    'event: { at: $request.header.parcel-signature }',
    '/signature/headers names the header Parcel-Signature, which /event has already',
  ],
  [
    'a media type among the headers',
    'accepts: [2XX]',
    'headers: { content-type: text/json }',
    '/headers names the header content-type, which every request has already; valid is a header that is not said by mediaType',
  ],
  [
    'a merge key, which YAML 1.2 has not',
    'parcel.sent: true',
    'parcel.sent: { <<: { type: object } }',
    'has the keyword "<<", which is unknown',
  ],
  ['XML', 'events:', 'mediaType: application/xml\nevents:', '/mediaType is "application/xml"; valid is a text such as'],
  [
    'an action that changes nothing',
    'events:',
    'overlay: [{ target: $.info }]\nevents:',
    '/overlay/0 lacks update. Add it.',
  ],
  [
    'the address of a document',
    'events:',
    'openapi: https://parcels.example/api.yaml\nevents:',
    'nothing is fetched. Save the document beside the contract',
  ],
  ['a form that is no regular expression', '{20}', '{20}[', '/id/form', 'such as evt_[a-z0-9]{20}'],
  [
    'an OpenAPI document',
    right,
    'openapi: 3.1.1\ninfo: { title: a, version: "1" }\n',
    'It is an OpenAPI document (3.1.1) and no contract.yaml',
    'seaworthy contract init',
  ],
  [
    'a contract in place of the document',
    'events:',
    'openapi: ./contract.yaml\nevents:',
    'is a contract.yaml; valid is an OpenAPI document',
  ],
  ['nothing', right, '', 'holds nothing at its root; a mapping is expected'],
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seaworthy-mistakes-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function load(text: string): Contract {
  const file = join(folder, 'contract.yaml');
  writeFileSync(file, text);
  return loadContract(textsBeside(pathToFileURL(file)));
}

function refusal(text: string): string {
  try {
    load(text);
  } catch (error) {
    if (error instanceof ContractError) return error.message;
    throw error;
  }
  return 'none';
}

describe('what a newcomer gets wrong in a contract.yaml', () => {
  it('is known from a contract that is right', () => {
    expect(load(right).events.map(({ name }) => name)).toEqual(['parcel.sent']);
  });

  it.each(mistakes)('%s: the error names the place, what stands there and what is valid', (_, from, to, ...says) => {
    expect(right).toContain(from);
    const message = refusal(right.replace(from, () => to));
    for (const said of says) expect(message).toContain(said);
  });

  it('an event that no header carries', () => {
    const named = right.replace('$request.body#/type', '$request.header.X-Event');
    expect(load(named).events).toHaveLength(1);
    expect(refusal(named.replace('parcel.sent', 'pärcel.sent'))).toContain(
      '/events is "pärcel.sent"; valid is a name in visible ASCII, for a header carries it.',
    );
  });

  it('a schema that takes nothing makes no delivery', () => {
    const [event] = load(right.replace('parcel.sent: true', 'parcel.sent: false')).events;
    expect(event.validate({ id: '1', type: 'parcel.sent' })).toBe(false);
  });
});
