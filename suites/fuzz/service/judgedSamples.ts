import { type Found, wrong } from './found.ts';
import type { Sampled } from './registered.ts';
import type { ServiceModelState } from './serviceModelState.ts';

/** Tests the samples that came against what was asked for. That one came at all is judged elsewhere. */
export function judgeSamples(modelState: ServiceModelState): void {
  for (const sample of modelState.sampled) {
    modelState.judge('TRG-4');
    modelState.accuse(strayed(modelState, sample));
  }
}

/** A sample is nobody's business but that of the url that it was asked for. */
function strayed(modelState: ServiceModelState, { event, place, call, at }: Sampled): Found | undefined {
  const sent = place.caught.find((caught) => caught.at >= at && modelState.isSample(caught, place));
  const notified = modelState.deliveries.find(
    (delivery) => delivery.event === event && delivery.attempts[0]!.at >= at && !delivery.owner.places.has(place),
  );
  if (notified === undefined || modelState.raised.some((each) => each.event === event)) return undefined;
  const isSame = sent?.key === notified.id;
  return wrong('sample-strayed', 'TRG-4', {
    expected: `a webhook that subscribes to ${event} hears nothing of a sample`,
    actual: isSame ? 'the sample was sent to it as well' : 'a notification came to it after it',
    exchanges: [call, notified.attempts[0]!],
    // It might have happened for real just then, where others use the service as well.
    absence: !isSame,
  });
}
