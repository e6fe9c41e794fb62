import { expect, it } from 'vitest';

import type { Contract } from '../../../spec/contract.ts';
import { verificationAnswer } from '../../../runner/service/runService.ts';
import { locationOf } from '../../../spec/location.ts';
import type { VerificationTerms } from '../../../spec/serviceTerms.ts';
import { createCatcher } from '../../../runner/catcher/catcher.ts';

const at = locationOf('$request.body#/type');

function contractOf(verification: VerificationTerms | undefined): Contract {
  return { service: { verification }, delivery: { acceptedStatuses: [204] } } as unknown as Contract;
}

const answerTo = (body: object, verification?: VerificationTerms) =>
  verificationAnswer(contractOf(verification), Buffer.from(JSON.stringify(body)), [['X-Ping', '1']]);

it('knows a verification by a text, or by its place alone', () => {
  const success = { do: 'respond', status: 204 };
  expect(answerTo({ type: 'ping' }, { at, value: 'ping' })).toEqual(success);
  expect(answerTo({ type: 'sold' }, { at, value: 'ping' })).toBeUndefined();
  expect(answerTo({}, { at: locationOf('$request.header.x-ping') })).toEqual(success);
  expect(answerTo({}, { at })).toBeUndefined();
  expect(answerTo({ type: 'ping' })).toBeUndefined();
});

it('answers with what has to come back', () => {
  const answer = answerTo({ type: 'ping', data: { challenge: 'c' } }, { at, echo: '/data/challenge' });
  expect(answer).toMatchObject({ body: '{"data":{"challenge":"c"}}', headers: [['Content-Type', 'application/json']] });
});

it('is answered beside the script of an endpoint, and no delivery', async () => {
  const contract = contractOf({ at, value: 'ping' });
  const catcher = await createCatcher({
    protocol: 'http',
    keyOf: () => '',
    elapsed: () => performance.now(),
    answerBeside: (body, headers) => verificationAnswer(contract, body, headers),
  });
  const endpoint = catcher.endpoint([{ do: 'respond', status: 503 }]);
  const send = async (type: string) =>
    (await fetch(endpoint.url, { method: 'POST', body: JSON.stringify({ type }) })).status;
  expect([await send('ping'), await send('sold'), await send('ping')]).toEqual([204, 503, 204]);
  expect(endpoint.caught).toHaveLength(1);
  expect(endpoint.caught[0]).toMatchObject({ number: 1, end: { kind: 'answered', status: 503 } });
  await catcher.close();
});
