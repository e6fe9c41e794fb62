import { amount } from '../../reports/text/amount.ts';
import { agreement, type Traits } from './agreement.ts';
import type { GeneratedCase } from './cases.ts';
import type { Found } from './failure.ts';
import type { Tried } from './trial.ts';

/** So many other differences are named. */
const few = 3;

/** Characters of a difference that can be named beside others. */
const short = 80;

interface Different extends Found {
  readonly difference?: string;
}

/**
 * How many other cases of a check broke the same requirement, and which they are.
 *
 * @param shown - the case that is reported; it may be a shrunk one
 * @param traitsOf - what a case was about; nothing where that is not known
 * @returns nothing where no other case did
 * @example 'and in 12 of 35 other cases, all with the event order.created'
 */
export function otherCases<F extends Found>(
  tried: readonly Tried<F>[],
  shown: { readonly case: GeneratedCase; readonly finding: F },
  traitsOf: (generated: GeneratedCase) => Traits | undefined,
): string | undefined {
  const [main] = shown.finding.requirements;
  const broken = tried.filter(({ trial }) => trial.kind === 'broken' && trial.finding.requirements[0] === main);
  const others = broken.filter((one) => one.case.index !== shown.case.index);
  if (others.length === 0) return undefined;
  const held = tried.filter(({ trial }) => trial.kind === 'held');
  const traits = (cases: readonly Tried<F>[]) => cases.flatMap((one) => traitsOf(one.case) ?? []);
  const which = agreement(traits(broken), traits(held)) ?? examples(others, shown.finding);
  return `and in ${countText(others.length, tried.length - 1)}${which === undefined ? '' : `, ${which}`}`;
}

function countText(count: number, all: number): string {
  if (count < all) return `${count} of ${amount(all, 'other case')}`;
  return all === 1 ? 'the other case' : `all ${all} other cases`;
}

/** The differences that others of them have, where they are not all of one kind. */
function examples<F extends Found>(others: readonly Tried<F>[], { difference: own }: Different): string | undefined {
  const differences = others.flatMap(({ trial }) =>
    trial.kind === 'broken' ? ((trial.finding as Different).difference ?? []) : [],
  );
  const different = [...new Set(differences)].filter((text) => text !== own);
  const named = different.filter((text) => text.length <= short).slice(0, few);
  return named.length === 0 ? undefined : `such as ${named.map((text) => `“${text}”`).join(', ')}`;
}
