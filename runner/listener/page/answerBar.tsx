import type { JSX } from 'preact';

import type { PageGreeting } from '../pageData.ts';

interface Props {
  readonly answers: PageGreeting['answers'];
  /** The names of what the next delivery gets, and of what those after it get. */
  readonly next: string;
  readonly usual: string;
  readonly lasting: boolean;
  readonly onLasting: (lasting: boolean) => void;
  readonly onChoose: (name: string) => void;
}

/** Chooses the answer that what comes next gets. */
export function AnswerBar({ answers, next, usual, lasting, onLasting, onChoose }: Props): JSX.Element {
  const wordsOf = (name: string): string => answers.find((each) => each.name === name)?.words ?? '';
  return (
    <fieldset class="answers">
      <legend>Next answer</legend>
      <div class="choices">
        {answers.map(({ name, label, words, key }) => (
          <button
            type="button"
            key={name}
            title={`${words} (${key})`}
            aria-pressed={name === next}
            onClick={() => onChoose(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <label class="check">
        <input type="checkbox" checked={lasting} onChange={(event) => onLasting(event.currentTarget.checked)} />
        for all that follow
      </label>
      <p class="note" role="status">
        Next: {wordsOf(next)}
        {next !== usual && `; then: ${wordsOf(usual)}`}.
      </p>
    </fieldset>
  );
}
