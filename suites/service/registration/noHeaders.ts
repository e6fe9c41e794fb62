import { memberPlace } from '../../../spec/serviceTerms.ts';
import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withoutPointer, withPointer } from '../../../generators/json/jsonPointer.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import type { ServiceFinding } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import { finding } from '../../finding.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { accepted, atAnotherUrl, create, expectRefusedAgain } from '../creation.ts';
import { registration } from './registrationCheck.ts';

/** Section 2.1: custom headers may be missing. */
export const noHeaders = registration({
  id: 'service/registration/headers',
  title: 'creates a webhook without custom headers, and makes none up',
  requirements: ['WHK-13', 'ROB-2'],
  about: ['webhook:headers'],
  weight: 0.4,
  run: async (kit, body) => {
    const pointer = kit.terms.webhook.wrapper + memberPlace(kit.terms, 'headers');
    const bare = valueAt(body, pointer) === undefined ? body : withoutPointer(body, pointer);
    const { call, resource } = await create(kit, bare);
    if (kit.succeeded(call))
      return (
        expectNoHeaders(kit, call, resource ?? null) ?? expectNoFailure(kit, call, withPointer(bare, pointer, null))
      );
    const header = { name: 'X-Team', value: 'sea' };
    const other = withPointer(bare, pointer, [header]);
    const twin = await accepted(kit, atAnotherUrl(kit, other));
    await expectRefusedAgain(kit, bare, other);
    return finding('WHK-13', {
      expected: 'a webhook without custom headers is created',
      actual: describeAnswer(call.answer),
      exchanges: [call],
      twin: twin.call,
      difference: 'custom headers left out',
      absence: true,
    });
  },
  hint: 'Custom headers are optional: take a creation without them, and answer with null, an empty list or nothing.',
});

function expectNoHeaders(kit: ServiceKit, call: Call, resource: Json): ServiceFinding | undefined {
  const headers = kit.member(resource, 'headers') ?? null;
  if (headers === null || (Array.isArray(headers) && headers.length === 0)) return undefined;
  const expected = 'null, an empty list or nothing in the place of custom headers that were not given';
  return finding('WHK-13', { expected, actual: `there is ${JSON.stringify(headers)}`, exchanges: [call] });
}

/** Whether null is taken in the place of custom headers is open. That the service fails on it is not. */
async function expectNoFailure(kit: ServiceKit, twin: Call, body: Json): Promise<ServiceFinding | undefined> {
  const { call } = await create(kit, atAnotherUrl(kit, body));
  if (!hasStatusClass(call.answer, 5)) return undefined;
  return finding('ROB-2', {
    expected: 'the call is taken, or refused with a 4xx',
    actual: describeAnswer(call.answer),
    exchanges: [call],
    twin,
    difference: 'null in the place of custom headers',
    absence: true,
  });
}
