import { hasStatusClass } from '../../suites/answer.ts';
import type { ServiceFinding } from '../../suites/check.ts';
import type { Exchange } from '../../suites/exchange.ts';
import type { Activity } from '../engine/activity.ts';
import { unlessEnded } from '../engine/ending.ts';
import { control } from '../engine/cases.ts';
import type { Trial } from '../engine/trial.ts';
import { Caller } from './caller.ts';
import { type Registering, Registrar } from './registrar.ts';
import type { RunState } from './runState.ts';

/** What is needed to ask a service whether it has room. */
type Housing = Registering & Pick<RunState, 'scenarioEvents'>;

/** What a case did, and how its webhooks are removed. */
interface Case {
  readonly exchanges: readonly Exchange[];
  clean(): Promise<void>;
}

/** What a case of a check may take of the room. */
export interface Place {
  readonly check: string;
  /** For how many webhooks. */
  readonly size: number;
  /** Whether it was known how many there may be. */
  readonly isRationed: boolean;
}

/**
 * The webhooks that a service allows at once: any number, until it is seen to refuse one more. From then on cases come in as
 * far as there is room for the webhooks that they need.
 */
export class Room {
  readonly #context: () => Housing;
  #isRationed = false;
  /** How many webhooks cases had at once, the most that was seen. */
  #most = 1;
  /** One more than was seen is tried, until that is refused. */
  #spare = 1;
  #taken = 0;
  /** How many webhooks a case needs, as far as is known, by the check. */
  readonly #needs = new Map<string, number>();
  readonly #queue: { readonly check: string; readonly enter: (place: Place) => void }[] = [];
  #asked: Promise<boolean> | undefined;

  constructor(context: () => Housing) {
    this.#context = context;
  }

  /** Resolves once there is room for a case of the check, which gives its place in the activity away meanwhile. */
  async enter(check: string, activity: Activity): Promise<Place> {
    const entering = new Promise<Place>((enter) => this.#queue.push({ check, enter }));
    this.#admit();
    return this.#queue.length === 0 ? entering : activity.park(entering);
  }

  /**
   * Removes what a case has made, and gives its place to others.
   *
   * @returns what the case has shown: nothing, where others left it no room for all that it needs. The next one gets more
   */
  async leave(place: Place, trial: Trial<ServiceFinding>, kit: Case) {
    this.#look();
    const [held, refused] = this.#counted(kit.exchanges);
    this.#note(place, held);
    const mayLack = trial.kind === 'unproven' ? refused > 0 : this.#isOfRefused(trial);
    const lacksRoom = mayLack && (await this.#isFull().catch(unlessEnded)) === true;
    if (lacksRoom) this.#grow(place, trial.kind === 'broken' ? Infinity : held + refused);
    await kit.clean().catch(unlessEnded);
    this.#taken -= place.size;
    this.#admit();
    if (!lacksRoom) return trial;
    const isAlone = place.size >= this.#limit;
    return isAlone && this.#isKept ? full(trial) : crowded(trial, isAlone);
  }

  get #limit(): number {
    return this.#isRationed ? this.#most + this.#spare : Infinity;
  }

  #look(): void {
    const ofCases = [...this.#context().registrars].filter(({ owner }) => owner.check !== control.check);
    const held = ofCases.reduce((count, { remaining }) => count + remaining.length, 0);
    this.#most = Math.max(this.#most, held);
  }

  /** How many webhooks a case had, and how many it was refused. */
  #counted(exchanges: readonly Exchange[]): readonly [held: number, refused: number] {
    const { create, delete: remove } = this.#context().plan.terms.operations;
    const answered = (id: string | undefined, hundreds: number): number =>
      exchanges.filter((each) => isAnswered(each, id, hundreds)).length;
    return [answered(create, 2) - answered(remove, 2), answered(create, 4)];
  }

  /** Whether what is found broken may be that there was no room: a creation that is not accepted. */
  #isOfRefused(trial: Trial<ServiceFinding>): boolean {
    const { create } = this.#context().plan.terms.operations;
    return trial.kind === 'broken' && trial.finding.exchanges.some((each) => isAnswered(each, create, 4));
  }

  #note({ check }: Place, need: number): void {
    this.#needs.set(check, Math.max(this.#needs.get(check) ?? 1, need));
  }

  #grow(place: Place, need: number): void {
    const isShort = place.isRationed && this.#spare === 0 && need <= place.size;
    if (place.isRationed) this.#spare = 0;
    this.#note(place, isShort ? place.size + 1 : need);
  }

  async #isFull(): Promise<boolean> {
    if (this.#isRationed) return true;
    this.#asked ??= this.#refusesAny().finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  /** Whether webhooks of earlier cases are still there, which takes room for good. */
  get #isKept(): boolean {
    return this.#context()
      .removed.values()
      .some((how) => how === 'kept');
  }

  /** Whether a webhook is refused that the control could create. */
  async #refusesAny(): Promise<boolean> {
    const context = this.#context();
    const caller = new Caller(() => context, control);
    const registrar = new Registrar(context, caller, control);
    const endpoint = registrar.endpoint();
    const attributes = registrar.attributes(endpoint.url, { events: context.scenarioEvents.slice(0, 1) });
    const creation = await caller.call('create', { body: registrar.creation(attributes) });
    this.#look();
    registrar.adopt(creation, endpoint);
    await registrar.clean();
    return (this.#isRationed ||= hasStatusClass(creation.answer, 4));
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const size = Math.min(this.#needs.get(next.check) ?? 1, this.#limit);
      if (this.#taken > 0 && this.#taken + size > this.#limit) return;
      this.#queue.shift();
      this.#taken += size;
      next.enter({ check: next.check, size, isRationed: this.#isRationed });
    }
  }
}

function isAnswered(exchange: Exchange, operationId: string | undefined, hundreds: number): boolean {
  if (exchange.kind !== 'call' || exchange.request.operationId !== operationId) return false;
  return hasStatusClass(exchange.answer, hundreds);
}

/** What a case shows that was refused webhooks. @param isAlone - whether it had all the room that there is */
function crowded(trial: Trial<ServiceFinding>, isAlone: boolean): Trial<ServiceFinding> {
  if (trial.kind === 'unproven' && isAlone) return { ...trial, reason: `${trial.reason}. ${tooFew}` };
  if (trial.kind === 'unproven')
    return { ...trial, reason: `${trial.reason}. ${noneBeside}`, final: false, doubted: true };
  if (trial.kind !== 'broken' || isAlone) return trial;
  return { kind: 'unproven', reason: `${trial.finding.actual}. ${noneBeside}`, final: false, doubted: true };
}

/** The same where webhooks that the service does not delete take the room: more than this case had. */
function full(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
  const shown = trial.kind === 'broken' ? trial.finding.actual : trial.kind === 'unproven' && trial.reason;
  return shown ? { kind: 'unproven', reason: `${shown}. ${noneDeleted}`, final: true } : trial;
}

const noneDeleted =
  'The service deletes no webhook, and allows no more beside those that the run has made: let it allow more, or delete them';

const tooFew = 'The service allows fewer webhooks at once than this check needs: let it allow more';

const noneBeside =
  'The service allowed no more webhooks beside those of other checks: let it allow more, give the run more time (--time), ' +
  'or test a part at a time (--only)';
