import type { Json } from '../../../generators/json/json.ts';
import { withPointer } from '../../../generators/json/jsonPointer.ts';
import { describeAnswer } from '../../answer.ts';
import type { ServiceFinding } from '../../check.ts';
import { finding } from '../../finding.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { stateOf } from '../../../spec/serviceTerms.ts';
import { accepted, atAnotherUrl, expectRefusedAgain, type Created } from '../creation.ts';

/** A valid creation was refused: because it is inactive, where one that differs in this alone is accepted. */
export async function refusedInactive(
  kit: ServiceKit,
  { call }: Created,
  { body, place }: { readonly body: Json; readonly place: string },
): Promise<ServiceFinding> {
  const other = withPointer(body, place, stateOf(kit.terms, true));
  const twin = await accepted(kit, atAnotherUrl(kit, other));
  await expectRefusedAgain(kit, body, other);
  const difference = `active is ${JSON.stringify(stateOf(kit.terms, false))}`;
  const point = { exchanges: [call], twin: twin.call, difference, absence: true };
  return finding('WHK-5', {
    expected: 'an inactive webhook is created',
    actual: describeAnswer(call.answer),
    ...point,
  });
}
