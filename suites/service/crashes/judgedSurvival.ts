import { OutOfTime, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { acceptedBy, type Neighbour, type Played, slowNeighbour, type Survivor } from './playedCrashes.ts';
import { changedByRestart } from './sameAfterRestart.ts';

/** Milliseconds after a restart that are waited before a neighbour is asked how long it takes. */
const soon = 500;

/**
 * Whether everything that was there before the crashes has been delivered after them, and was still the same then.
 *
 * @throws Unproven where no neighbour shows how long that takes; OutOfTime where the retry window ends first
 */
export async function judgeSurvival(kit: ServiceKit, played: Played): Promise<ServiceFinding | undefined> {
  const { survivors } = played;
  const open = () => survivors.filter(({ webhook }) => !acceptedBy(kit, webhook));
  const none = () => open().length === 0 || undefined;
  let neighbour: Neighbour | undefined;
  if (!(await kit.soon(none, soon))) {
    neighbour = await slowNeighbour(kit, refusalsOf(kit, open()));
    const patience = kit.overdueAfter(neighbour);
    const done = await kit.soon(none, Math.min(patience, kit.window));
    if (!done && patience > kit.window) throw new OutOfTime(stillOpen(kit));
    if (!done) {
      mayBeGivenUp(kit, open(), { ...played, neighbour });
      return lost(kit, open(), { ...played, neighbour });
    }
  }
  for (const survivor of survivors) {
    const finding = await changedByRestart(kit, survivor, { ...played, neighbour });
    if (finding) return finding;
  }
  return undefined;
}

/** As often as what is waited for was refused: the pauses between attempts may grow. */
function refusalsOf({ contract }: ServiceKit, open: readonly Survivor[]): number {
  const seen = open.map(({ webhook }) => webhook.endpoint.caught.length);
  return Math.min(Math.max(1, ...seen), contract.delivery.retries);
}

/**
 * Each end of the service may have cost an attempt, and at a closed endpoint attempts are not seen.
 *
 * @throws Unproven where all may have been made before anything could be accepted
 */
function mayBeGivenUp(
  { contract: { delivery } }: ServiceKit,
  open: readonly Survivor[],
  { happening, opened, ends, neighbour }: Played & { readonly neighbour: Neighbour },
): void {
  const pause = neighbour.took / (neighbour.accepted.number - 1);
  const unseen = Math.ceil((2 * (opened - happening.at)) / pause);
  const made = open.map(({ webhook, listener }) =>
    listener === 'is-closed' ? unseen : webhook.endpoint.caught.length,
  );
  if (Math.max(...made) + ends <= delivery.retries) return;
  throw new Unproven('its attempts may all have been made before anything could be accepted');
}

/** What was there before a crash, and does not come after it. */
async function lost(
  kit: ServiceKit,
  open: readonly Survivor[],
  { survivors, happening, neighbour }: Played & { readonly neighbour: Neighbour },
): Promise<ServiceFinding> {
  const { webhook } = open[0]!;
  const all = `${survivors.length} webhook${survivors.length === 1 ? '' : 's'}`;
  return broken('DLV-7', {
    expected: `what the service had taken before it ended is delivered after the restart: ${happening.event}, to ${all}`,
    actual: `${open.length} of ${all} got nothing to accept${await stateOf(kit, webhook)}, while a newer webhook was told of what happened later`,
    exchanges: [webhook.creation, ...webhook.endpoint.caught.slice(-2)],
    twin: neighbour.accepted,
    difference: 'it was there before the service ended',
    absence: true,
  });
}

/** What the lists say of it. @throws Unproven where the service has switched the webhook off (GAP-5) */
async function stateOf(kit: ServiceKit, webhook: Survivor['webhook']): Promise<string> {
  try {
    const resource = await kit.current(webhook);
    if (resource === undefined) return '; the webhook itself is no longer listed';
    if (kit.member(resource, 'active') === false) throw new Unproven('the service has switched the webhook off');
    const id = webhook.endpoint.caught[0]?.key;
    const listed = id === undefined ? undefined : (await kit.listed([id])).get(id);
    return listed === undefined ? '' : `; the notification is listed as ${String(listed.status)}`;
  } catch (error) {
    if (error instanceof Unobservable) return '';
    throw error;
  }
}

function stillOpen({ window }: ServiceKit): string {
  return `what was pending may still come: it was waited for as long as retries are (${window / 1000} s); give a longer --retry-window`;
}
