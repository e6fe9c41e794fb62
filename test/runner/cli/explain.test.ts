import { describe, expect, it } from 'vitest';

import { errorCatalogue } from '../../../runner/errors.ts';
import { entriesOf } from '../../../runner/cli/explain/run.ts';
import { faultsOf } from '../../../runner/cli/lazyReference.ts';
import { runExitCodes } from '../../../runner/cli/command.ts';
import { loadContract } from '../../../spec/contract.ts';
import { applicable } from '../../../suites/applicable.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { root } from '../../docs/documents.ts';
import { runHere } from '../runHere.ts';

const cli = (...words: string[]) => runHere(['explain', ...words], root);

describe('seaworthy explain', () => {
  it('explains a requirement: what, why, how it is tested and fixed', async () => {
    const { code, stdout } = await cli('vrf-6');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "VRF-6: a SHOULD for a receiver, section 5.2

      What
        Without a secret, or with an empty one, the receiver does not start, or
        accepts nothing.

      Why
        With an empty key everybody can sign.

      How it is tested
        receiver/signature/without-secret: it does not start without its secret, or
        accepts nothing then

      How a failure is usually fixed
        Look at the secret once, where the process starts, and end with an error if it
        is missing or empty: an HMAC with an empty key is one that everybody can
        compute. A default value (process.env.SECRET ?? "", os.environ.get("SECRET",
        "secret")) and "if (secret) verify()" both open the door on the day a
        deployment forgets the variable.

      How it is broken
        - Takes every delivery as long as no secret is configured, as in development.
        - Takes a variable that is not set for an empty secret, and verifies with
          that.
        - Refuses to start where the variable is not set, and verifies with an empty
          key where it is empty.
        - Writes the variable into a text, so that a missing one becomes the key
          "undefined".
        - Verifies with the secret of its example configuration where it has no other.
        - Compares the header with nothing where it has no secret: an empty header is
          right, and so is none.
        - Answers 503 as long as it has no secret, and stores the notification all the
          same.
      "
    `);
  });

  it('names the contract in the command that runs a check alone', async () => {
    const id = 'receiver/signature/several';
    const alone = await cli(id, '--contract', 'stripe');
    expect(alone.stdout.replaceAll(/\s+/g, ' ')).toContain(`seaworthy receiver <url> --only ${id} --contract stripe`);
    expect((await cli('receiver/signature/forged')).stdout).not.toContain('--contract');
  });

  it('explains an error code and an exit code', async () => {
    expect((await cli('SW_PORT_TAKEN')).stdout).toMatchInlineSnapshot(`
      "SW_PORT_TAKEN: exit code 2

      When it comes
        Something listens at the URL before \`--start\` or \`--image\` has started
        anything there.

      What to do
        Correct the command, and run it again. The error says what was received, what
        is valid and what to do next.
      "
    `);
    expect((await cli('3')).stdout).toMatchInlineSnapshot(`
      "exit code 3 of receiver, service, fuzz and replay

      What it means
        It could not be tested: unreachable, lost, unreadable, or nothing observable.

      What to do
        See whether the target runs at that address, and whether the secret or the API
        key is right. The first lines of the report say what was missing.

      Exit codes of the other commands
        seaworthy <command> --help lists them.
      "
    `);
  });

  it('explains a gap, by the key of its assumption too', async () => {
    const { stdout } = await cli('delivery.timeout');
    expect(stdout).toContain('GAP-17: a gap of the contract');
    expect(stdout).toContain('delivery.timeout = ');
    expect((await cli('GAP-17')).stdout).toBe(stdout);
  });

  it('cites the page of another contract', async () => {
    const { stdout } = await cli('IDM-1', '--contract', 'stripe');
    expect(stdout).toMatch(/^IDM-1: a \w+ for a receiver, https:\/\/docs\.stripe\.com/);
  });

  it('knows everything that reports and errors name', async () => {
    const contract = loadContract();
    const { requirements, gaps } = contract;
    const checks = [...applicable(contract, receiverChecks), ...applicable(contract, serviceChecks)];
    const ids = [
      ...[...requirements, ...gaps, ...checks].map(({ id }) => id),
      ...Object.keys(errorCatalogue),
      ...runExitCodes.map(([code]) => String(code)),
    ];
    const entries = entriesOf(contract, await faultsOf(contract));
    for (const id of ids) {
      const { title, parts } = entries.get(id)!();
      expect(title).toContain(id);
      expect(parts.flatMap(([, texts]) => texts)).not.toEqual([]);
    }
  });

  it('names a contract that has an id which this one has not', async () => {
    const { code, stderr } = await cli('VRF-7');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('seaworthy explain VRF-7 --contract stripe'),
    });
    expect(await cli('VRF-7', '--contract', 'stripe')).toMatchObject({ code: 0 });
  });

  it('names what is near to an id that there is not', async () => {
    const { code, stderr } = await cli('VRF-33');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "VRF-3"') });
    expect(await cli()).toMatchObject({ code: 2, stderr: expect.stringContaining('SW_ARGUMENT_MISSING') });
  });

  it('names all exit codes in place of one that there is not', async () => {
    const { code, stderr } = await cli('4');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('(0, 1, 2, 3, 70, 130)') });
    expect(stderr).not.toContain('did you mean');
  });
});
