import { isOverloaded } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import { unreached } from '../../suites/unreached.ts';
import { refusalsText, targetNotRevived, targetServesNobody, targetTurnsAway } from './death.ts';
import type { SupervisedCase } from '../process/supervisedCase.ts';
import type { Owner } from './cases.ts';
import type { RunContext } from './runContext.ts';
import { isFailure, retryAfter } from '../http/retryAfter.ts';

/**
 * After so many requests in a row that were not accepted, or were answered with a 5xx, plain ones are sent alone; and so many
 * others have to be refused behind these, for the target may refuse the plain ones for what they are.
 */
const suspicious = { refused: 20, failed: 3, behind: 5 } as const;

/** For how long none was accepted by then: milliseconds, and times as long as an answer takes. */
const sinceAccepted = { ms: 500, answers: 10 } as const;

/**
 * Milliseconds for which plain requests are refused, at least, until nobody counts as served: longer than a target rests that
 * limits its rate or breaks its circuit. It is never more than this part of the time that is left.
 */
const patience = { ms: 30_000, share: 0.2 } as const;

/** Milliseconds between two plain requests. */
const pause = 200;

/** What the watch has to know of its run. */
type Watched = Pick<RunContext, 'ended' | 'end' | 'deadline' | 'guardian' | 'targetProcess'>;

/** Requests in a row, since the last one that was accepted. */
interface Row {
  /** Not accepted: answered, or its connection closed. */
  refused: number;
  /** Milliseconds (monotonic) of the first of them, and that request in words. */
  readonly since: number;
  readonly first: string;
  /** The first of them whose connection was closed, in words. */
  closed?: string;
  /** Those with a 5xx, the first of them in words, and the case that had it. */
  failed: number;
  failure?: { readonly request: string; readonly suspect: SupervisedCase | undefined };
  /** What plain requests showed that were sent alone, after so many of these. */
  looked?: PlainRefusals & Pick<Row, 'refused' | 'failed'>;
}

/** Plain requests that were sent alone: the last answer, how many there were, and for how many milliseconds. */
interface PlainRefusals {
  readonly answer: Answer;
  readonly asked: number;
  readonly waited: number;
}

/**
 * Notices that the target accepts nothing any more, plain requests either: where it fails, of what one body has spoilt or many
 * refusals have used up, the case that had the first failure is named. Where it refuses, it may have banned the kit.
 */
export class RefusalWatch {
  readonly #subject: 'receiver' | 'service';
  readonly #run: () => Watched;
  /** Says how a plain request was answered; nothing where it was accepted. */
  #refusal: (() => Promise<Answer | undefined>) | undefined;
  #row: Row | undefined;
  /** When the last request was accepted (monotonic). */
  #acceptedAt = 0;
  /** Requests that were refused before the first of a row, and the last of them in words. */
  #before = { refused: 0, last: '' };
  #looking: Promise<void> | undefined;

  constructor(subject: 'receiver' | 'service', run: () => Watched) {
    this.#subject = subject;
    this.#run = run;
  }

  /** @param refusal - sends a plain request, and resolves to its answer where it was not accepted; nothing where that is not watched */
  begin(refusal: (() => Promise<Answer | undefined>) | undefined): void {
    this.#refusal = refusal;
  }

  /** Resolves once nobody waits for the target to accept plain requests again. */
  async calm(): Promise<void> {
    await this.#looking;
  }

  /** Takes how a request ended. @param request - in words */
  judged(request: string, owner: Owner, answer: Answer, isAccepted: boolean): void {
    if (isAccepted) return this.#accepted();
    if (!isTurnedDown(answer)) return;
    if (this.#row !== undefined && this.#isOver(this.#row)) this.#row = undefined;
    const row = (this.#row ??= { refused: 0, since: performance.now(), first: request, failed: 0 });
    row.refused += 1;
    if (answer.kind === 'broken') row.closed ??= request;
    if (isFailure(answer)) {
      row.failed += 1;
      row.failure ??= { request, suspect: this.#run().guardian.suspectOf(owner)?.supervised };
    } else if (row.failed === 0)
      this.#before = { refused: this.#before.refused + 1, last: `${request}: ${endOf(answer)}` };
    this.#suspect(row, answer.ms);
  }

  /** @param ms - how long an answer takes */
  #suspect(row: Row, ms: number): void {
    if (this.#refusal === undefined || this.#looking || this.#run().ended.aborted) return;
    if (row.looked !== undefined) {
      if (row.refused - row.looked.refused >= suspicious.behind) this.#end(row, row.looked);
      return;
    }
    const isSuspicious = row.refused >= suspicious.refused || row.failed >= suspicious.failed;
    if (isSuspicious && performance.now() - row.since >= Math.max(sinceAccepted.ms, sinceAccepted.answers * ms))
      this.#looking = this.#look(this.#refusal, row).finally(() => (this.#looking = undefined));
  }

  /** When the target was last started or went on (monotonic), where the kit has started it. */
  get #upSince(): number {
    return this.#run().targetProcess?.target.upSince ?? 0;
  }

  /** What closed its connections in dying says nothing of the target that was started after it. */
  #isOver({ since }: Row): boolean {
    return since < this.#upSince;
  }

  /** What is accepted after plain requests were not shows that those are refused for what they are. */
  #accepted(): void {
    if (this.#row?.looked !== undefined) this.#refusal = undefined;
    this.#row = undefined;
    this.#acceptedAt = performance.now();
  }

  /** Where plain requests are refused as well, and nothing else is at work, nobody is served any more; unless others still are. */
  async #look(refusal: () => Promise<Answer | undefined>, row: Row): Promise<void> {
    const { deadline, ended } = this.#run();
    const began = performance.now();
    const most = deadline.left * patience.share;
    for (let asked = 1; !ended.aborted; asked++) {
      const answer = await refusal();
      // Others, that were under way, may have been accepted.
      if (answer === undefined || !isTurnedDown(answer) || this.#row !== row || this.#isOver(row))
        return void (this.#row = undefined);
      const waited = performance.now() - began;
      if (waited >= Math.min(most, Math.max(patience.ms, retryAfter(answer) ?? 0))) {
        row.looked = { answer, asked, waited, refused: row.refused, failed: row.failed };
        // That speaks of the target, and of nothing in the request.
        return isOverloaded(answer) ? this.#end(row, row.looked) : undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #end({ failure, closed, first }: Row, { answer, asked, waited, refused, failed }: NonNullable<Row['looked']>): void {
    const plain = { answer, asked, waited };
    const row = { ...plain, times: refused, first: answer.kind === 'broken' ? (closed ?? first) : first };
    const upSince = this.#upSince;
    if (this.#acceptedAt < upSince) {
      // Of what it died of by itself a request is to blame; of what an interruption has left behind none is.
      const isOfDeath = this.#run().guardian.servesNobody(upSince, refusalsText(row));
      return isOfDeath ? undefined : this.#run().end(targetNotRevived(this.#subject, row));
    }
    // Who bans an address may close its connections.
    if (!isFailure(answer) || failure === undefined) return this.#run().end(targetTurnsAway(this.#subject, row));
    const seen = { ...plain, times: failed, first: failure.request };
    const { how, ...reason } = targetServesNobody(this.#subject, seen, this.#before);
    failure.suspect?.spent(how);
    this.#run().end(reason);
  }
}

/** Whether the target took a request, and did not want it: it answered, or closed the connection. */
function isTurnedDown(answer: Answer): boolean {
  if (answer.kind === 'answered') return true;
  return answer.kind === 'broken' && unreached(answer.code) === undefined && !answer.code.endsWith('_BY_KIT');
}

const endOf = (answer: Answer): string =>
  answer.kind === 'answered' ? `${answer.status}` : 'the connection was closed';
