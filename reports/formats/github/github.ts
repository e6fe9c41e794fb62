import { randomUUID } from 'node:crypto';

import type { ReportDocument } from '../../model/document.ts';
import type { Reporter, ReporterOptions } from '../../reporter.ts';
import type { Sink } from '../../sink.ts';
import { comparisonAnnotations } from './comparisonAnnotations.ts';
import { mostFirst } from './mostFirst.ts';
import { runAnnotations, verdictAnnotation } from './runAnnotations.ts';
import { resumeCommands, stopCommands, workflowCommand } from './workflowCommand.ts';
import type { Annotation } from './workflowCommand.ts';

/**
 * A report as workflow commands of GitHub Actions, one a line: errors, warnings and notices that point to the file of
 * the failing case, or to the config file.
 */
export function githubReport(document: ReportDocument, options: ReporterOptions = {}): string {
  return mostFirst(annotationsOf(document, options))
    .map((annotation) => `${workflowCommand(annotation)}\n`)
    .join('');
}

/**
 * Writes the annotations when the run is over. While it lasts, GitHub is told to take all lines of the log for plain
 * text: what a target answers may look like a command, and a report for people shows it on the same output. No target
 * can know the word that ends this.
 */
export function createGithubReporter(sink: Sink, options: ReporterOptions = {}): Reporter {
  let token: string | undefined;
  const resume = (): void => {
    if (token !== undefined) sink.write(`${resumeCommands(token)}\n`);
  };
  return {
    onEvent(event) {
      if (event.type !== 'run.started' || options.path !== undefined) return;
      token = randomUUID();
      sink.write(`${stopCommands(token)}\n`);
    },
    end(summary) {
      resume();
      sink.write(githubReport({ kind: 'run', summary }, options));
    },
    leave: resume,
  };
}

function annotationsOf(document: ReportDocument, options: ReporterOptions): readonly Annotation[] {
  switch (document.kind) {
    case 'run':
      return runAnnotations(document.summary, options);
    case 'comparison':
      return comparisonAnnotations(document.comparison);
    case 'matrix':
      return document.summaries.map(verdictAnnotation);
  }
}
