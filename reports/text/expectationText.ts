import type { ExpectationOutcome, ExpectationResult } from '../model/runSummary.ts';

/** How an entry of `--expect-failures` stands, and what to do where it does not hold. */
export function expectationText({ outcome, expires, reason, link }: ExpectationResult): string {
  const why = link === undefined ? reason : `${reason} (${link})`;
  const until = expires === undefined ? '' : `, until ${expires}`;
  return outcome === 'fails'
    ? `It fails as expected${until}: ${why}`
    : `${unmet[outcome]} It was expected to fail: ${why}`;
}

const unmet: Readonly<Record<Exclude<ExpectationOutcome, 'fails'>, string>> = {
  passes: 'It holds now: remove the entry.',
  'not-tested':
    'It was not tested, so nothing shows that it fails: give the options that make it observable, or remove the entry.',
  'left-out':
    '--only or --skip left it out of this run, so nothing shows that it fails: run its checks too, or give this run a list without the entry.',
  elsewhere: 'Its checks are in another part of this run (--shard): merge the parts with seaworthy report to see.',
  expired: 'The entry has expired: fix what it is about, or give it a later date.',
  unknown: 'It names no requirement and no check of this kind of target: correct the id, or remove the entry.',
};
