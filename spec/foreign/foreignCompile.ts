import { type Compile, createLenientCompile } from '../compile.ts';
import type { JsonSchema, Mapping } from '../jsonSchema.ts';
import type { ForeignReading } from './keywords.ts';
import { readForeignSchema } from './readForeignSchema.ts';

/**
 * Makes a compiler for the schemas of the API in somebody else's document, whose references are written out inline. Each is
 * read as those of deliveries are, in the dialect of the document, when it is first asked for. What it cannot take is not
 * said: a service is not tested for what its document holds.
 */
export function createForeignCompile(document: Mapping): Compile {
  const compile = createLenientCompile();
  const reading: ForeignReading = {
    say: () => {},
    refer: (reference) => reference,
    target: () => undefined,
    isOpenApi30: String(document['openapi']).startsWith('3.0'),
  };
  const read = new Map<unknown, JsonSchema>();
  return (where, received) => {
    const made = (): ReturnType<Compile> => {
      const schema = read.get(received) ?? readForeignSchema(received, '', reading);
      read.set(received, schema);
      return compile(where, schema);
    };
    let known: ReturnType<Compile> | undefined;
    return {
      get schema() {
        return (known ??= made()).schema;
      },
      get validate() {
        return (known ??= made()).validate;
      },
    };
  };
}
