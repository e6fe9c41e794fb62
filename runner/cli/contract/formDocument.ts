import { contractFormSchema } from '../../../spec/contractForm.ts';
import { isRecord } from '../../../spec/jsonSchema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** docs/contract-form.md: every member of a `contract.yaml`, made from its JSON Schema. */
export function formDocument(): string {
  const root = contractFormSchema();
  const members = Object.entries(membersOf(root));
  const sections = members.map(([name, schema]) => sectionOf(name, schema, { root, isNeeded: isNeeded(root, name) }));
  return `${[preamble, ...sections].join('\n\n')}\n`;
}

const preamble = `# The form of a contract.yaml

This page is generated from the JSON Schema of the form (\`npm run docs\`).

[Contracts](contracts.md) shows how to write one. A file that begins with this line is completed and checked by editors that
know JSON Schema, such as VS Code with its YAML extension. The path is that of the schema in your project:

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/seaworthy/dist/spec/contract.schema.json
\`\`\`

A **location** is an OpenAPI runtime expression: \`$request.header.X-Event\`, or \`$request.body#\` and a JSON Pointer
(RFC 6901). A **duration** is a whole number with its unit: \`500ms\`, \`10s\`, \`5m\`, \`1h\`. Members whose names begin with
\`x-\` are yours: the kit ignores them.`;

interface Place {
  readonly root: Schema;
  readonly isNeeded: boolean;
}

function sectionOf(name: string, schema: Schema, place: Place): string {
  const resolved = behind(schema, place.root);
  const facts = [textOf(schema, place), ...examplesOf(resolved)];
  const members = listOf(resolved, place.root, 0);
  return [`## \`${name}\``, facts.join('\n\n'), ...(members === '' ? [] : [members])].join('\n\n');
}

/** The members of a mapping, and those of its own mappings. */
function listOf(schema: Schema, root: Schema, depth: number): string {
  const indent = '  '.repeat(depth);
  return Object.entries(membersOf(schema))
    .map(([name, member]) => {
      const resolved = behind(member, root);
      const text = textOf(member, { root, isNeeded: isNeeded(schema, name) });
      const inner = listOf(resolved, root, depth + 1);
      return `${indent}- \`${name}\`: ${text}${inner === '' ? '' : `\n${inner}`}`;
    })
    .join('\n');
}

/** What it says, of which kind it is, and whether it has to be there. */
function textOf(schema: Schema, { root, isNeeded: needed }: Place): string {
  const resolved = behind(schema, root);
  const description = schema['description'] ?? resolved['description'];
  const kind = kindOf(resolved);
  return [
    ...(needed ? ['**Required.**'] : []),
    ...(typeof description === 'string' ? [marked(description)] : []),
    ...(kind === undefined ? [] : [`Takes ${kind}.`]),
  ].join(' ');
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a mapping',
};

function kindOf({ title, type, enum: values, const: constant, anyOf }: Schema): string | undefined {
  if (typeof title === 'string') return title;
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (Array.isArray(anyOf)) {
    const all = anyOf.map((each) => (isRecord(each) ? kindOf(each) : undefined)).filter((each) => each !== undefined);
    return [...new Set(all)].join(' or ');
  }
  const named = [type].flat().flatMap((each) => kinds[String(each)] ?? []);
  return named.length === 0 ? undefined : named.join(' or ');
}

function examplesOf({ examples }: Schema): readonly string[] {
  if (!Array.isArray(examples) || examples.length === 0) return [];
  return [`For example: ${examples.map((example) => `\`${yamlOf(example)}\``).join(', ')}`];
}

/** A value as YAML on one line. */
function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(', ')}]`;
  if (isRecord(value))
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${yamlOf(each)}`)
      .join(', ')} }`;
  return typeof value === 'string' && !/^[$./A-Za-z][\w$./#-]*$/.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : String(value);
}

/** The members of a mapping; of alternatives those of the one that has some, and of a list those of its items. */
function membersOf({ properties, additionalProperties, items, anyOf }: Schema): Readonly<Record<string, Schema>> {
  if (isRecord(properties)) return properties as Readonly<Record<string, Schema>>;
  const inner = [items, additionalProperties, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [])].filter(isRecord);
  return inner.map(membersOf).find((members) => Object.keys(members).length > 0) ?? {};
}

function isNeeded({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** What a `$ref` of the form leads to; the schema itself where it has none. */
function behind(schema: Schema, root: Schema): Schema {
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  const definitions = root['$defs'];
  const found = isRecord(definitions) ? definitions[reference.replace('#/$defs/', '')] : undefined;
  return isRecord(found) ? found : schema;
}

/** Names and expressions as code, and nothing that Markdown takes for a tag. */
function marked(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, place) => (place % 2 === 1 ? part : part.replaceAll('<', '\\<').replaceAll('*', '\\*')))
    .join('');
}
