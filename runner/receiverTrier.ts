import type { Finding, ReceiverCheck } from '../suites/check.ts';
import type { GeneratedCase } from './cases.ts';
import type { Property, Trier } from './property.ts';
import { targetGone, type ControlResult, type ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import type { Suspects } from './suspects.ts';
import { tryCase, type Trial } from './trial.ts';

/** Tries the cases of a check of a receiver, each with a kit of its own, and notices when the receiver is gone. */
export class ReceiverTrier implements Trier<Finding> {
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;
  readonly #check: ReceiverCheck;
  readonly #suspects: Suspects | undefined;
  /** The kit of the last try of each case. */
  readonly #kits = new WeakMap<GeneratedCase, CaseKit>();
  #property: Property<Finding> | undefined;

  /** @param suspects - where its cases run one at a time: the case that the target dies of is known then */
  constructor(context: ReceiverContext, found: ControlResult, check: ReceiverCheck, suspects: Suspects | undefined) {
    this.#context = context;
    this.#found = found;
    this.#check = check;
    this.#suspects = suspects;
  }

  /** Whose case is convicted when the target dies of it. */
  set property(property: Property<Finding>) {
    this.#property = property;
  }

  async try(generated: GeneratedCase): Promise<Trial<Finding>> {
    const kit = new CaseKit(this.#context, { check: this.#check.id, case: generated.index }, this.#found);
    this.#kits.set(generated, kit);
    if (this.#suspects) this.#suspects.last = { die: () => this.#die(generated, kit) };
    const trial = await tryCase(this.#context.ended, () => this.#check.run(kit, generated.value.value));
    const unanswered = trial.kind === 'broken' && trial.finding.attempts.at(-1)?.answer.kind === 'timed-out';
    return unanswered ? { ...trial, unanswered } : trial;
  }

  async over(): Promise<boolean> {
    return (await this.#suspects?.convict(this.#context)) ?? false;
  }

  async tried(generated: GeneratedCase, trial: Trial<Finding>): Promise<void> {
    const judged = trial.kind === 'broken' || trial.kind === 'unproven';
    if (!judged || this.#kits.get(generated)?.attempts.at(-1)?.answer.kind !== 'broken') return;
    if (!(await this.over())) await this.#lookForTarget();
  }

  /** The target is gone, and nothing ran beside this case: that is certain at once. */
  #die(generated: GeneratedCase, { attempts }: CaseKit): void {
    this.#property?.convict(generated, {
      requirements: [this.#check.fatal ?? this.#check.requirements[0]],
      expected: 'the receiver goes on serving',
      actual: 'it stopped taking connections',
      absence: false,
      attempts,
    });
    this.#context.end(targetGone(`after a case of ${this.#check.id}`));
  }

  async #lookForTarget(): Promise<void> {
    if (this.#context.ended.aborted || (await this.#context.stillThere())) return;
    this.#context.end(targetGone(`while checks ran side by side (${this.#check.id} saw it first)`));
  }
}
