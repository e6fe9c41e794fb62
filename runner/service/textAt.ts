import { valueAt } from '../../generators/json/jsonPointer.ts';
import { parsed } from './answers.ts';

/** The text at a JSON Pointer in a body; empty where the body is no JSON or has no text there. */
export function textAt(body: Buffer, pointer: string): string {
  const value = parsed(body.toString());
  const found = value === undefined ? undefined : valueAt(value, pointer);
  return typeof found === 'string' ? found : '';
}
