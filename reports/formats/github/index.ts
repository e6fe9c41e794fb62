import type { Format } from '../format.ts';
import { createGithubReporter, githubReport } from './githubReport.ts';

export const github: Format = {
  summary: 'for GitHub Actions: annotations on standard output, and the summary of the step',
  readers: 'programs',
  file: 'annotations.txt',
  stdout: 'commands',
  documents: ['run', 'comparison', 'matrix'],
  render: githubReport,
  create: createGithubReporter,
};
