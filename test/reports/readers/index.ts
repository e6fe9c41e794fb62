import type { DocumentKind, Format } from '../../../reports/formats/format.ts';
import type { FormatName, formats } from '../../../reports/formats/index.ts';
import { readJournal } from '../../../reports/model/journal.ts';
import { summarise } from '../../../reports/model/summary.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { readMatrixBadge, readRunBadge } from './badge.ts';
import { factsOf, type ComparisonFacts, type Facts, type MatrixFacts } from './facts.ts';
import { readGithub, readGithubComparison, readGithubMatrix } from './github.ts';
import { readHtml, readHtmlComparison, readHtmlMatrix } from './html.ts';
import { readJson, readJsonComparison, readJsonMatrix } from './json.ts';
import { readJunit, readJunitComparison, readJunitMatrix } from './junit.ts';
import { readMarkdown, readMarkdownComparison, readMarkdownMatrix } from './markdown.ts';
import { readPrompt } from './prompt.ts';
import { readSarif, readSarifComparison, readSarifMatrix } from './sarif.ts';
import { readTerminal, readTerminalComparison, readTerminalMatrix } from './terminal.ts';

/** Reads a report back. */
export interface Reader<All, Subject> {
  /** The facts that every report states; of some it may state more. */
  readonly states: readonly (keyof All)[];
  /** @param subject - what the report is about, where it leaves something out by rule */
  readonly read: (text: string, subject: Subject) => Partial<All> | Promise<Partial<All>>;
}

/** A reader for each kind of document. */
export interface KindReaders {
  readonly run: Reader<Facts, RunSummary>;
  readonly comparison: Reader<ComparisonFacts, unknown>;
  readonly matrix: Reader<MatrixFacts, unknown>;
}

type KindsOf<Name extends FormatName> = (typeof formats)[Name] extends Format<infer Kinds> ? Kinds : never;

/** A reader for each format, and each kind of document that it can show. */
export type Readers = { readonly [Name in FormatName]: Pick<KindReaders, 'run' | (KindsOf<Name> & DocumentKind)> };

const all: readonly (keyof Facts)[] = [
  'verdict',
  'exitCode',
  'counts',
  'requirements',
  'checks',
  'failing',
  'broken',
  'incomplete',
  'problems',
  'expectations',
  'leftOut',
];

/** What each format states, read with a parser that is not the kit's where there is one. */
export const readers: Readers = {
  terminal: {
    run: { states: ['verdict', 'exitCode', 'leftOut'], read: readTerminal },
    comparison: { states: ['regressed', 'broke'], read: readTerminalComparison },
    matrix: { states: ['targets', 'exitCodes'], read: readTerminalMatrix },
  },
  json: {
    run: { states: all.filter((fact) => fact !== 'broken'), read: readJson },
    comparison: { states: ['regressed', 'changes'], read: readJsonComparison },
    matrix: { states: ['targets', 'verdicts', 'rows'], read: readJsonMatrix },
  },
  html: {
    run: { states: all, read: readHtml },
    comparison: { states: ['regressed', 'broke', 'changes'], read: readHtmlComparison },
    matrix: { states: ['verdicts', 'exitCodes', 'failing', 'rows'], read: readHtmlMatrix },
  },
  junit: {
    run: { states: ['verdict', 'exitCode', 'requirements', 'checks', 'problems', 'leftOut'], read: readJunit },
    comparison: { states: ['regressed', 'broke'], read: readJunitComparison },
    matrix: { states: ['verdicts', 'exitCodes'], read: readJunitMatrix },
  },
  markdown: {
    run: {
      states: ['verdict', 'exitCode', 'counts', 'requirements', 'failing', 'problems', 'expectations', 'leftOut'],
      read: readMarkdown,
    },
    comparison: { states: ['regressed', 'changes'], read: readMarkdownComparison },
    matrix: { states: ['targets', 'rows'], read: readMarkdownMatrix },
  },
  prompt: {
    run: { states: ['verdict', 'exitCode', 'failing', 'problems', 'leftOut'], read: readPrompt },
  },
  sarif: {
    run: {
      states: ['verdict', 'exitCode', 'counts', 'requirements', 'failing', 'problems', 'expectations', 'leftOut'],
      read: readSarif,
    },
    comparison: { states: ['regressed'], read: readSarifComparison },
    matrix: { states: ['targets', 'failing', 'exitCodes'], read: readSarifMatrix },
  },
  github: {
    run: { states: ['verdict', 'exitCode', 'counts', 'failing', 'problems', 'leftOut'], read: readGithub },
    comparison: { states: ['broke'], read: readGithubComparison },
    matrix: { states: ['targets', 'codes'], read: readGithubMatrix },
  },
  badge: {
    run: { states: ['broken', 'incomplete'], read: readRunBadge },
    matrix: { states: ['conforming', 'targets'], read: readMatrixBadge },
  },
  journal: {
    run: { states: all, read: (text) => factsOf(summarise(readJournal(text))) },
  },
};
