import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';
import { gapsOf } from './operations.ts';
import { readYaml } from './readYaml.ts';
import type { Gap } from './requirements.ts';

/** An OpenAPI document as it was read, references as they stand. */
export interface OpenedDocument {
  readonly root: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly version: string;
}

/**
 * Reads an OpenAPI 3.1 document.
 *
 * @param text - YAML (or JSON, which is YAML)
 * @param gaps - the gaps that its `x-gap` marks may name
 * @throws ContractError for another version, a missing title or version, or a mark for a gap that is not listed
 */
export function openDocument(text: string, gaps: readonly Gap[]): OpenedDocument {
  const root = readYaml('openapi.yaml', text);
  const { openapi, info } = root;
  const { title, version } = isRecord(info) ? info : {};
  if (typeof openapi !== 'string' || !/^3\.1\.\d+$/.test(openapi)) {
    throw invalid(`has the version ${JSON.stringify(openapi) ?? 'nothing'}`, 'openapi: 3.1.1');
  }
  if (typeof title !== 'string' || typeof version !== 'string') {
    throw invalid('has no info.title or info.version', 'a text for each of them');
  }
  refuseUnknownGaps(root, gaps);
  return { root, title, version };
}

function refuseUnknownGaps(root: unknown, gaps: readonly Gap[]): void {
  const stray = marks(root).find((id) => !gaps.some((gap) => gap.id === id));
  if (stray === undefined) return;
  throw new ContractError(
    'contract/gap-unknown',
    `openapi.yaml marks something with the gap ${stray}, which requirements.yaml does not list. Mend the mark, or add the gap.`,
  );
}

function marks(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(marks);
  if (!isRecord(part)) return [];
  return Object.entries(part).flatMap(([name, value]) => (name === 'x-gap' ? gapsOf(value) : marks(value)));
}

function invalid(what: string, valid: string): ContractError {
  return new ContractError('contract/openapi-version', `openapi.yaml ${what}; valid is ${valid}. Mend its head.`);
}
