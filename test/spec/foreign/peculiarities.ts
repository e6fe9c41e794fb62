/** A schema as others write it, what is made of it, and what is said. */
export interface Peculiarity {
  readonly title: string;
  readonly schema: unknown;
  readonly read: unknown;
  /** `effect pointer: message`, the pointer from the schema on. */
  readonly said: readonly string[];
  /** Default: 3.1.0. */
  readonly openapi?: string;
}

const condition = JSON.parse('{ "if": { "required": ["a"] }, "then": { "properties": { "b": {} } } }') as object;

/** What documents of real services hold, one thing each. */
export const peculiarities: readonly Peculiarity[] = [
  {
    title: 'an extension',
    schema: { type: 'string', 'x-stainless-const': true },
    read: { type: 'string' },
    said: [
      'ignored /x-stainless-const: The keyword x-stainless-const is an extension. It is ignored wherever it stands.',
    ],
  },
  {
    title: 'an unknown keyword',
    schema: { type: 'string', optional: true },
    read: { type: 'string' },
    said: ['loosened /optional: The keyword optional is not known. It is ignored wherever it stands.'],
  },
  {
    title: 'a condition beside parts, all of which decide what else there may be',
    schema: { unevaluatedProperties: false, allOf: [{}], ...condition },
    read: { unevaluatedProperties: false, allOf: [{}, condition] },
    said: [],
  },
  {
    title: 'annotations of OpenAPI',
    schema: { type: 'string', example: 'a', xml: {}, externalDocs: {}, readOnly: true },
    read: { type: 'string', example: 'a', readOnly: true },
    said: [],
  },
  {
    title: 'an unknown format, twice',
    schema: { properties: { a: { type: 'string', format: 'ksuid' }, b: { format: 'ksuid' } } },
    read: { properties: { a: { type: 'string' }, b: {} } },
    said: ['loosened /properties/a/format: The format "ksuid" is not known here. Any text is taken for it.'],
  },
  {
    title: 'an unknown format of a number',
    schema: { type: 'number', format: 'money' },
    read: { type: 'number' },
    said: ['loosened /format: The format "money" is not known here. Any number is taken for it.'],
  },
  {
    title: 'a format of numbers that has a range',
    schema: { type: 'integer', format: 'int16' },
    read: { type: 'integer', minimum: -32768, maximum: 32767 },
    said: [
      'translated /format: The format "int16" is taken for a number from -32768 to 32767, where no bounds stand beside it.',
    ],
  },
  {
    title: 'a format of numbers for a text',
    schema: { type: 'string', format: 'int64' },
    read: { type: 'string' },
    said: ['loosened /format: The format "int64" is not known here. Any text is taken for it.'],
  },
  {
    title: 'a regular expression as format',
    schema: { type: 'string', format: '^[0-9]+.?[0-9]*$' },
    read: { type: 'string', pattern: '^[0-9]+.?[0-9]*$' },
    said: ['translated /format: The format "^[0-9]+.?[0-9]*$" is a regular expression. It is taken as the pattern.'],
  },
  {
    title: 'nullable in OpenAPI 3.0',
    openapi: '3.0.3',
    schema: { type: 'string', nullable: true },
    read: { type: ['string', 'null'] },
    said: [],
  },
  {
    title: 'nullable since',
    schema: { type: 'string', nullable: true },
    read: { type: 'string' },
    said: [
      "narrowed /nullable: nullable is a keyword of OpenAPI 3.0 only; 3.1 has the type 'null'. No null is generated where it stands.",
    ],
  },
  {
    title: 'an exclusive bound in OpenAPI 3.0',
    openapi: '3.0.3',
    schema: { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    read: { type: 'integer', exclusiveMinimum: 3, maximum: 9 },
    said: [],
  },
  {
    title: 'an exclusive bound since',
    schema: { type: 'integer', minimum: 3, exclusiveMinimum: true },
    read: { type: 'integer', exclusiveMinimum: 3 },
    said: [
      'translated /exclusiveMinimum: exclusiveMinimum is true, as in OpenAPI 3.0; since then it is the bound itself. It is taken as it was meant.',
    ],
  },
  {
    title: 'the type file',
    schema: { type: 'file' },
    read: { type: 'string' },
    said: ['translated /type: The type file is none of JSON Schema. It is taken for string.'],
  },
  {
    title: 'types that are none',
    schema: { anyOf: [{ type: 'any' }, { type: ['date', 'null'] }] },
    read: { anyOf: [{}, { type: ['null'] }] },
    said: [
      'loosened /anyOf/0/type: The type "any" is none of JSON Schema. Values of any type are taken.',
      'loosened /anyOf/1/type: The type "date" is none of JSON Schema. It was left out beside null.',
    ],
  },
  {
    title: 'a mask as pattern',
    schema: { type: 'string', pattern: 'HH:mm:SS' },
    read: { type: 'string', pattern: String.raw`^(0[1-9]|1[0-2]):[0-5]\d:[0-5]\d$` },
    said: [
      String.raw`translated /pattern: The pattern "HH:mm:SS" is a mask of digits and no regular expression. It is taken for "^(0[1-9]|1[0-2]):[0-5]\d:[0-5]\d$".`,
    ],
  },
  {
    title: 'a mask beside a format',
    schema: { type: 'string', format: 'time', pattern: 'HH:mm:SS' },
    read: { type: 'string', format: 'time' },
    said: ['loosened /pattern: The pattern "HH:mm:SS" is a mask of digits and no regular expression. It was left out.'],
  },
  {
    title: 'a pattern that the u flag refuses',
    schema: { type: 'string', pattern: String.raw`^[\w-.]+\@[a-z\-]+$` },
    read: { type: 'string', pattern: String.raw`^[\w\-.]+@[a-z\-]+$` },
    said: [
      String.raw`translated /pattern: The pattern "^[\w-.]+\@[a-z\-]+$" is no regular expression under the u flag. It is taken for "^[\w\-.]+@[a-z\-]+$".`,
    ],
  },
  {
    title: 'a pattern that is none',
    schema: { type: 'string', pattern: '^(?i)[a-z' },
    read: { type: 'string' },
    said: ['loosened /pattern: The pattern "^(?i)[a-z" is no regular expression. It was left out.'],
  },
  {
    title: 'a pattern for names that is none',
    schema: { patternProperties: { '[': { type: 'string' }, '^x': { type: 'null' } } },
    read: { patternProperties: { '^x': { type: 'null' } } },
    said: ['loosened /patternProperties/[: The pattern "[" is no regular expression. It was left out.'],
  },
  {
    title: 'bounds that exclude each other',
    schema: { type: 'string', minLength: 5, maxLength: 3 },
    read: { type: 'string' },
    said: ['loosened /minLength: minLength is 5 and maxLength is 3: no value meets both. Both were left out.'],
  },
  {
    title: 'an enum of nothing',
    schema: { type: 'string', enum: [] },
    read: { type: 'string' },
    said: ['loosened /enum: enum is [], where a list of values is valid. It was left out.'],
  },
  {
    title: 'listed values of another type',
    schema: { type: 'string', enum: [1, 2] },
    read: { enum: [1, 2] },
    said: ['loosened /type: None of the listed values (1, 2) is of the type string. The type was left out.'],
  },
  {
    title: 'a type that a part of it excludes',
    schema: { type: ['null'], allOf: [{ type: 'object' }] },
    read: { allOf: [{ type: 'object' }] },
    said: [
      'loosened /type: The type is null here and object in a part of it: no value is both. The type here was left out.',
    ],
  },
  {
    title: 'keywords of the wrong kind',
    schema: { type: 'string', minLength: '3', maxLength: 'ten', required: true },
    read: { type: 'string', minLength: 3 },
    said: [
      'translated /minLength: minLength is "3", where a whole number from 0 on is valid. It is taken for 3.',
      'loosened /maxLength: maxLength is "ten", where a whole number from 0 on is valid. It was left out.',
      'loosened /required: required is true, where a list of texts is valid. It was left out.',
    ],
  },
  {
    title: 'something that is no schema',
    schema: { type: 'object', additionalProperties: null, properties: { a: 'string' } },
    read: { type: 'object', properties: { a: true } },
    said: [
      'loosened /additionalProperties: additionalProperties is null, where a schema is valid. It was left out.',
      'loosened /properties/a: "string" stands where a schema should. Any value is taken there.',
    ],
  },
  {
    title: 'items as a list, and dependencies',
    schema: { items: [{ type: 'null' }], additionalItems: false, dependencies: { a: ['b'], c: { required: ['d'] } } },
    read: {
      prefixItems: [{ type: 'null' }],
      items: false,
      dependentRequired: { a: ['b'] },
      dependentSchemas: { c: { required: ['d'] } },
    },
    said: [
      'translated /items: items is a list, as in older drafts; it is called prefixItems now. It is taken as it was meant.',
      'translated /dependencies: dependencies is now called dependentRequired and dependentSchemas. It is taken as it was meant.',
    ],
  },
  {
    title: 'a reference that leads nowhere',
    schema: { properties: { a: { $ref: '#/components/schemas/Gone' }, b: { $ref: 'other.yaml#/b' } } },
    read: { properties: { a: false, b: false } },
    said: [
      'narrowed /properties/a/$ref: The $ref "#/components/schemas/Gone" leads to no schema of the document. No value is generated there.',
      'narrowed /properties/b/$ref: The $ref "other.yaml#/b" leads to no schema of the document. No value is generated there.',
    ],
  },
];
