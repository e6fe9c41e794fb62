/** A case that was sent, and what to do if the target died of it. */
export interface Suspect {
  die(): void;
}

/** A run whose target can be looked for. */
interface Endable {
  readonly ended: AbortSignal;
  /** Whether the target still takes connections. */
  stillThere(): Promise<boolean>;
}

/**
 * Knows the last of the cases that run one at a time. Before the next one begins, the target is looked for: if it is
 * gone, the last case is what it died of.
 */
export class Suspects {
  last: Suspect | undefined;

  /** Whether the run is over because the target is gone. */
  async convict(context: Endable): Promise<boolean> {
    if (context.ended.aborted) return true;
    if (this.last === undefined || (await context.stillThere())) return false;
    this.last.die();
    return true;
  }
}
