import type { RunStarted, TargetKind } from '../model/events.ts';

/** What reports call the same thing for one kind of target and for the other. */
interface TargetWords {
  /** The positive control. */
  readonly control: string;
  /** Its failure: as a title, and as the start of a reason. */
  readonly controlFailed: string;
  readonly noControl: string;
}

/** The words of each kind of target. */
export const targetWords: Readonly<Record<TargetKind, TargetWords>> = {
  receiver: {
    control: 'a plain delivery',
    controlFailed: 'A plain delivery was not accepted',
    noControl: 'no plain delivery was accepted',
  },
  service: {
    control: 'creating a plain webhook',
    controlFailed: 'No creation of a webhook was seen',
    noControl: 'no plain webhook was created',
  },
};

/** What a run was about, before the address: that of a listener is where deliveries came to, and no target's. */
export function subjectText(
  { kind }: RunStarted['target'],
  { caughtOnly }: Pick<RunStarted['run'], 'caughtOnly'>,
): string {
  return caughtOnly === true ? 'deliveries to' : kind;
}
