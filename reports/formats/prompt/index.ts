import { findings } from '../../model/findings.ts';
import { atEnd, type DocumentOf, type Format } from '../format.ts';
import { promptText } from './promptText.ts';

export const prompt: Format<'run'> = {
  summary: 'for an assistant that writes code: each failure as a task, with all that it takes to fix it',
  readers: 'programs',
  file: 'prompt.md',
  stdout: 'document',
  documents: ['run'],
  render,
  create: atEnd(render),
};

function render({ summary }: DocumentOf<'run'>): string {
  return promptText(summary, findings(summary));
}
