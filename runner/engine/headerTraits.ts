import type { Header } from '../../suites/delivery.ts';
import type { Traits } from './agreement.ts';

/** What the headers of a case's requests say it was about. */
export function headerTraits(all: readonly (readonly Header[])[]): Traits['values'] {
  const headers = all.flat();
  return {
    'content type': distinct(headers.flatMap(([name, value]) => (/^content-type$/i.test(name) ? value : []))),
    header: distinct(headers.map(([name]) => name)),
  };
}

/** Each of the values that is not empty, once. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '');
}
