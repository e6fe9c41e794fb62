import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { verifier } from '../../reference/receiver/verify.ts';
import { runHere } from '../runner/runHere.ts';
import { secret } from './testReceiver.ts';
import { start as otherSignature } from './services/otherSignature.ts';

/** The receiver that belongs to the service: it takes that signature in that header alone. */
function startOtherReceiver() {
  const sign = (body: Buffer, key: string) => `sha256=${createHmac('sha256', key).update(body).digest('base64')}`;
  const policies = { ...conformingPolicies, verify: verifier({ sign }) };
  return startReceiver({ secrets: [secret], signatureHeader: 'X-Tracking-Signature', policies });
}

test('what is learned about a service makes the kit sign for receivers as that service does', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'seaworthy-learning-'));
  const service = await otherSignature({ backoff: [10], timeout: 1500 });
  const receiver = await startOtherReceiver();
  try {
    const { url, token, emit } = service;
    const only = ['--only', 'service/signature/*', '--intensity', 'quick'];
    const words = ['service', url, '--token', token, '--emit', emit, '--learn', 'learned.yaml', ...only];
    const learning = await runHere(words, cwd);
    expect(learning.stderr).toContain('--assume @learned.yaml');
    const held = ['receiver', receiver.url, '--secret', secret, '--only', 'receiver/signature/*'];
    const report = ['--intensity', 'quick', '--report', 'json=report.json', '--report', 'terminal'];
    const knowing = await runHere([...held, ...report, '--assume', `@${join(cwd, 'learned.yaml')}`], cwd);
    expect(knowing).toMatchObject({ code: 0 });
    const { assumptions } = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
    expect(assumptions).toEqual(
      expect.arrayContaining([
        { gap: 'GAP-14', key: 'signature.header', value: 'X-Tracking-Signature', source: 'learned' },
        { gap: 'GAP-14', key: 'signature.scheme', value: 'sha256=hmac-sha256-base64', source: 'learned' },
      ]),
    );
    expect((await runHere([...held, ...report], cwd)).code).toBe(3);
  } finally {
    await Promise.all([service.close(), receiver.close(), rm(cwd, { recursive: true, force: true })]);
  }
});
