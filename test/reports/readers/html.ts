import { expect } from 'vitest';

import type { ReportDocument, Explanations } from '../../../reports/model/document.ts';
import {
  factsOf,
  factsOfComparison,
  factsOfMatrix,
  type ComparisonFacts,
  type Facts,
  type MatrixFacts,
} from './facts.ts';

/** The document that the program of a page draws. That it draws all of it is shown in a browser, by htmlPage.test.ts. */
function documentIn<Kind extends ReportDocument['kind']>(
  html: string,
  kind: Kind,
): Extract<ReportDocument, { kind: Kind }> {
  expect(html).toMatch(/^<!doctype html>\n[^]*<\/html>\n$/);
  const parts = [...html.matchAll(/<script type="application\/json" id="data">([^<]*)<\/script>/g)];
  expect(parts).toHaveLength(1);
  const document = JSON.parse(parts[0]?.[1] ?? '');
  expect(document.kind).toBe(kind);
  return document;
}

/** The facts of a page about a run. */
export function readHtml(html: string): Facts {
  return factsOf(documentIn(html, 'run').summary);
}

/** What a page about a run says of the requirements that are broken. */
export function explainedIn(html: string): Explanations {
  return documentIn(html, 'run').explained ?? {};
}

/** The facts of two runs compared. */
export function readHtmlComparison(html: string): ComparisonFacts {
  return factsOfComparison(documentIn(html, 'comparison').comparison);
}

/** The facts of several targets. */
export function readHtmlMatrix(html: string): MatrixFacts {
  return factsOfMatrix(documentIn(html, 'matrix').summaries);
}
