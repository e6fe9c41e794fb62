import type { JSX } from 'preact';

import { amount, duration } from '../../../reports/text/amount.ts';
import type { ListedDelivery } from '../pageData.ts';
import { answerWords } from './words.tsx';

interface Props {
  readonly attempts: readonly ListedDelivery[];
  readonly selected?: number | undefined;
  /** Called with the number of the delivery that is chosen. Without it the axis only shows. */
  readonly onSelect?: (number: number) => void;
}

/** Attempts that are drawn: of more than that the newest. */
const most = 14;

/** The attempts of a notification from left to right, and the pauses between them: the longer, the wider, by its logarithm. */
export function TimeAxis({ attempts, selected, onSelect }: Props): JSX.Element {
  const drawn = attempts.slice(-most);
  const left = attempts.length - drawn.length;
  return (
    <ol class="axis" aria-label={amount(attempts.length, 'attempt')}>
      {left > 0 && <li class="earlier">{left} before</li>}
      {drawn.map((each, place) => (
        <li
          key={each.number}
          class={place === 0 ? 'first' : ''}
          style={{ flexGrow: place === 0 ? 0 : weight(each.pause ?? 0) }}
        >
          {place > 0 && <span class="gap">{each.pause === undefined ? '' : duration(each.pause)}</span>}
          <Dot delivery={each} isSelected={each.number === selected} {...(onSelect && { onSelect })} />
        </li>
      ))}
    </ol>
  );
}

function Dot({
  delivery,
  isSelected,
  onSelect,
}: {
  delivery: ListedDelivery;
  isSelected: boolean;
  onSelect?: (number: number) => void;
}): JSX.Element {
  const { number, attempt, answered, problem } = delivery;
  const words = `attempt ${attempt}: ${answered === undefined ? 'open' : answerWords(answered)}`;
  const tone = `dot ${toneOf(delivery)} ${problem?.level ?? 'right'}`;
  const label = answered?.status === undefined ? '·' : String(answered.status);
  if (onSelect === undefined)
    return (
      <span class={tone} title={words}>
        {label}
      </span>
    );
  return (
    <button
      type="button"
      class={tone}
      title={words}
      aria-label={words}
      aria-pressed={isSelected}
      onClick={() => onSelect(number)}
    >
      {label}
    </button>
  );
}

function toneOf({ answered }: ListedDelivery): string {
  if (answered === undefined) return 'waiting';
  if (answered.status === undefined) return 'cut';
  return answered.status < 300 ? 'accepted' : 'refused';
}

function weight(ms: number): number {
  return Math.max(0.4, Math.log10(Math.max(1, ms)));
}
