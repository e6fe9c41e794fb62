import { atEnd, type Format } from '../format.ts';
import { renderSarif } from './renderSarif.ts';

export const sarif: Format = {
  summary: 'for code scanning: SARIF 2.1.0, a rule for each requirement, a result for each that is broken',
  readers: 'programs',
  file: 'seaworthy.sarif',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: renderSarif,
  create: atEnd(renderSarif),
};
