import type { ComponentChildren, JSX } from 'preact';

import { Contents } from './contents.tsx';
import { useOpenInPrint } from './useOpenInPrint.ts';
import { useTarget } from './useTarget.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** What every page has around its parts: the way past the head, the head, the contents, the end. */
export function Frame(props: {
  head: JSX.Element;
  kit: RunSummary['kit'] | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const { head, kit, children } = props;
  useTarget();
  useOpenInPrint();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      {head}
      <div class="columns">
        <Contents />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <footer>
        <p>
          Made by {kit?.name} {kit?.version} from the journal of the run. This file holds all that it shows, and asks
          nobody for anything.
        </p>
      </footer>
    </>
  );
}
