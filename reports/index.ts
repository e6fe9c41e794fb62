export type * from './events.ts';
export type { CallScriptInput } from './callScript.ts';
export { callFiles, callScript } from './callScript.ts';
export type { CurlInput, CurlRequest, CurlScript } from './curl.ts';
export { curlScript } from './curl.ts';
export { isCaught } from './exchange.ts';
export type { ExitCode } from './exitCode.ts';
export { exitCode } from './exitCode.ts';
export type { Comparison } from './comparison.ts';
export { compareRuns } from './compareRuns.ts';
export type { ReportDocument } from './document.ts';
export type { ExpectationResult } from './expectations.ts';
export type { Format, FormatName } from './formats.ts';
export {
  createReporter,
  formats,
  formatsFor,
  isFormat,
  renderDocument,
  UnknownFormatError,
  UnshownDocumentError,
} from './formats.ts';
export { JournalError, journalLine, readJournal } from './journal.ts';
export type { JsonReport } from './json.ts';
export { jsonReport } from './json.ts';
export { junitReport } from './junit.ts';
export { learnedFile } from './learnedFile.ts';
export { mergeRuns } from './mergeRuns.ts';
export type { Reporter, ReporterOptions } from './reporter.ts';
export { repeatCommand } from './repeatCommand.ts';
export { replayCommand } from './replayCommand.ts';
export type { RequirementOutcome } from './requirementOutcome.ts';
export type { Signing } from './resigning.ts';
export type { FoundFailure, SearchResult } from './search.ts';
export type { Disagreement, SecondOpinion } from './secondOpinion.ts';
export type { LearnedAssumption, Observation } from './seen.ts';
export { shardDifferences } from './shards.ts';
export type { Sink, SinkStream } from './sink.ts';
export { streamSink } from './sink.ts';
export type { CheckResult, Counts, RequirementResult, RunSummary, SummaryBuilder } from './summary.ts';
export { createSummary, summarise } from './summary.ts';
export { terminalReport } from './terminal.ts';
export type { Verdict } from './verdict.ts';
export type { WireFigures } from './wireFigures.ts';
export { verdictSentence } from './verdict.ts';
export { visible } from './visible.ts';
