export type * from './model/events.ts';
export type { CallScriptInput } from './curl/callScript.ts';
export { callFiles, callScript } from './curl/callScript.ts';
export type { CurlInput, CurlRequest, CurlScript } from './curl/curl.ts';
export { curlScript } from './curl/curl.ts';
export { isCaught } from './model/exchange.ts';
export type { ExitCode } from './model/exitCode.ts';
export { exitCode } from './model/exitCode.ts';
export type { Comparison } from './model/compareRuns.ts';
export { compareRuns } from './model/compareRuns.ts';
export type { ReportDocument } from './model/document.ts';
export type { ExpectationResult } from './model/runSummary.ts';
export type { Format, Reporter, ReporterOptions } from './formats/format.ts';
export type { FormatName } from './formats/index.ts';
export {
  createReporter,
  formats,
  formatsFor,
  isFormat,
  renderDocument,
  UnknownFormatError,
  UnshownDocumentError,
} from './formats/index.ts';
export { JournalError, journalLine, readJournal } from './model/journal.ts';
export type { JsonReport } from './formats/json/jsonReport.ts';
export { jsonReport } from './formats/json/jsonReport.ts';
export { junitReport } from './formats/junit/index.ts';
export { learnedFile } from './model/learnedFile.ts';
export { mergeRuns } from './model/mergeRuns.ts';
export { repeatCommand } from './curl/replayCommand.ts';
export { replayCommand } from './curl/replayCommand.ts';
export type { RequirementOutcome } from './model/runSummary.ts';
export type { Signing } from './curl/resigning.ts';
export type { FoundFailure, SearchResult } from './model/runSummary.ts';
export type { Disagreement, SecondOpinion } from './model/runSummary.ts';
export type { LearnedAssumption, Observation } from './model/runSummary.ts';
export { shardDifferences } from './model/shards.ts';
export type { Sink } from './sink.ts';
export { streamSink, type SinkStream } from './sink.ts';
export type { SummaryBuilder } from './model/summary.ts';
export type { CheckResult, Counts, RequirementResult, RunSummary } from './model/runSummary.ts';
export { createSummary, summarise } from './model/summary.ts';
export { terminalReport } from './formats/terminal/index.ts';
export type { Verdict } from './model/runSummary.ts';
export type { WireFigures } from './model/wireFigures.ts';
export { verdictSentence } from './model/verdict.ts';
export { visible } from './text/visible.ts';
