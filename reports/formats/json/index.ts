import { atEnd, type Format } from '../format.ts';
import { renderJson } from './renderJson.ts';

export const json: Format = {
  summary: 'for programs of your own: everything, as a published schema describes it',
  readers: 'programs',
  file: 'report.json',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: renderJson,
  create: atEnd(renderJson),
};
