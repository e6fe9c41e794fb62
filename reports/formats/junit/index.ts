import { atEnd, type Format } from '../format.ts';
import { renderJunit } from './junitReport.ts';

export const junit: Format = {
  summary: 'for CI systems that show tests: JUnit XML, a testcase for each check',
  readers: 'programs',
  file: 'junit.xml',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: renderJunit,
  create: atEnd(renderJunit),
};
