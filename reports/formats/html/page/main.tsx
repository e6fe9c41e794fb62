import { type JSX, render } from 'preact';

import type { ReportDocument } from '../../../model/document.ts';
import { ComparisonPage } from './comparisonPage.tsx';
import { Frame } from './frame.tsx';
import { MatrixPage } from './matrixPage.tsx';
import { RunParts } from './runParts.tsx';
import './style/page.css';
import { VerdictBanner } from './verdictBanner.tsx';

/** The page of any document. */
function Page({ report }: { report: ReportDocument }): JSX.Element {
  switch (report.kind) {
    case 'run':
      return (
        <Frame kit={report.summary.kit} head={<VerdictBanner summary={report.summary} />}>
          <RunParts summary={report.summary} explained={report.explained ?? {}} />
        </Frame>
      );
    case 'comparison':
      return <ComparisonPage comparison={report.comparison} />;
    case 'matrix':
      return <MatrixPage summaries={report.summaries} />;
  }
}

const place = document.querySelector('#report');
const data = document.querySelector('#data')?.textContent;
if (place !== null && data) render(<Page report={JSON.parse(data) as ReportDocument} />, place);
