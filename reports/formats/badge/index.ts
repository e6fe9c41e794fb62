import type { ReporterOptions } from '../../reporter.ts';
import { atEnd, type Format } from '../format.ts';
import type { BadgeDocument } from './renderBadge.ts';

export const badge: Format<BadgeDocument['kind']> = {
  summary: 'for a README: the verdict, as SVG, or as the JSON that badge services read where the path ends in .json',
  readers: 'people',
  file: 'conformance.svg',
  stdout: 'document',
  documents: ['run', 'matrix'],
  render,
  create: atEnd(render),
};

/** Loads what draws badges only where one is written. */
async function render(document: BadgeDocument, options?: ReporterOptions): Promise<string> {
  const { renderBadge } = await import('./renderBadge.ts');
  return renderBadge(document, options);
}
