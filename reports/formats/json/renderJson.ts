import type { ReportDocument } from '../../model/document.ts';
import { jsonReport } from './json.ts';
import { jsonText } from '../../text/jsonText.ts';
import { comparisonJson } from './comparisonJson.ts';
import { matrixJson } from './matrixJson.ts';

/** A report as JSON, indented by two spaces. */
export function renderJson(document: ReportDocument): string {
  return jsonText(jsonOf(document));
}

function jsonOf(document: ReportDocument): unknown {
  switch (document.kind) {
    case 'run':
      return jsonReport(document.summary);
    case 'comparison':
      return comparisonJson(document.comparison);
    case 'matrix':
      return matrixJson(document.summaries);
  }
}
