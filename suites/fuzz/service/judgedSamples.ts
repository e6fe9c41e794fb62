import { type Found, wrong } from './found.ts';
import type { Sampled } from './registered.ts';
import type { World } from './world.ts';

/** Holds the samples that came against what was asked for. That one came at all is judged elsewhere. */
export function judgeSamples(world: World): void {
  for (const sample of world.sampled) {
    world.judge('TRG-4');
    world.accuse(strayed(world, sample));
  }
}

/** A sample is nobody's business but that of the url that it was asked for. */
function strayed(world: World, { event, place, call, at }: Sampled): Found | undefined {
  const sent = place.caught.find((caught) => caught.at >= at && world.isSample(caught, place));
  const told = world.letters.find(
    (letter) => letter.event === event && letter.attempts[0]!.at >= at && !letter.owner.places.has(place),
  );
  if (told === undefined || world.raised.some((each) => each.event === event)) return undefined;
  const isSame = sent?.key === told.id;
  return wrong('sample-strayed', 'TRG-4', {
    expected: `a webhook that subscribes to ${event} hears nothing of a sample`,
    actual: isSame ? 'the sample was sent to it as well' : 'a notification came to it after it',
    exchanges: [call, told.attempts[0]!],
    // It might have happened for real just then, where others use the service as well.
    absence: !isSame,
  });
}
