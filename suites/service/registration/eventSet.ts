import type { Json } from '../../../generators/json/json.ts';
import { counted } from '../../items.ts';

/** Whether these are names of events, none twice. */
export function isSubset(seen: unknown, names: readonly string[]): seen is readonly string[] {
  if (!Array.isArray(seen) || seen.length === 0 || new Set(seen).size < seen.length) return false;
  return seen.every((name) => typeof name === 'string' && names.includes(name));
}

export function isSameSet(seen: unknown, names: readonly string[]): boolean {
  return isSubset(seen, names) && seen.length === names.length;
}

/** What a list of events has too much or too little, in words. */
export function differences(seen: unknown, names: readonly string[]): string {
  if (!Array.isArray(seen)) return seen === undefined ? 'it names none' : `it holds ${JSON.stringify(seen)}`;
  const missing = names.filter((name) => !seen.includes(name));
  const strange = (seen as readonly Json[]).filter((name) => typeof name !== 'string' || !names.includes(name));
  const twice = seen.length - new Set(seen).size;
  const parts = [
    ...(missing.length > 0 ? [`${missing.length} missing (${few(missing)})`] : []),
    ...(strange.length > 0 ? [`${counted(strange.length, 'other')} (${few(strange)})`] : []),
    ...(twice > 0 ? [`${twice} repeated`] : []),
  ];
  return `it names ${counted(seen.length, 'event')}: ${parts.join(', ')}`;
}

function few(names: readonly Json[]): string {
  const shown = names.slice(0, 3).map((name) => JSON.stringify(name));
  return `${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
}
