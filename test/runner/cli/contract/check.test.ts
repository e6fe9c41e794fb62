import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shippedContracts } from '../../../../spec/shippedContracts.ts';
import { runHere } from '../../runHere.ts';

const here = process.cwd();
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-check-'));
  process.chdir(cwd);
});

afterAll(() => {
  process.chdir(here);
  return rm(cwd, { recursive: true });
});

const cli = (...words: string[]) => runHere(words, cwd);

/** GitHub's needs a document of another package, and takes a minute. */
const ownDocument = shippedContracts.filter((name) => name !== 'github');

describe('seaworthy contract check', () => {
  it('says what is understood', async () => {
    const { code, stdout, stderr } = await cli('contract', 'check', 'standard-webhooks');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // What grows with the suite is not counted here.
    const reported = stdout.replaceAll(/\d+ (?=MUST|SHOULD|MAY)/g, 'n ').replace(/\d+ of \d+ checks/, 'n of n checks');
    expect(reported).toMatchInlineSnapshot(`
      "Standard Webhooks 1.0

        source          https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
        events          6: user.created, user.updated, user.deleted, invoice.paid,
                        invoice.payment_failed, contact.merged
        event           $request.body#/type
        id              $request.header.webhook-id (msg_[A-Za-z0-9]{27})
        type            not in a delivery
        status          not in a delivery
        created at      $request.body#/timestamp (rfc3339)
        related         not in a delivery
        deliveries      POST, application/json
        accepted by     2XX
        retries         9 at most after the first attempt
        time-out        15 s
        signature       HMAC-SHA256 over {id}.{timestamp}.{body}, in base64
                        key: the bytes that the secret holds in base64, without whsec_
                        before it
                        webhook-signature: v1,{digest}
                        webhook-id: {id}
                        webhook-timestamp: {timestamp}
                        several in one header, with " " between them
                        tolerance: a timestamp more than 300 s away is refused
        service         not described: seaworthy service cannot test it
        requirements    of the receiver: n MUST, n SHOULD, n MAY
        not applicable  the status of a delivery, related resources
                        n of n checks do not run (--json names them)
        left out        nothing
        samples         6 of 6 events: one delivery each was generated and signed, and
                        its body is valid
      "
    `);
  });

  it.each(ownDocument)('proves a delivery of every event of %s', async (name) => {
    const { code, stdout } = await cli('contract', 'check', name, '--json');
    const { events, samples, leftOut } = JSON.parse(stdout) as { events: string[]; samples: object; leftOut: object[] };
    expect({ code, samples, leftOut }).toEqual({
      code: 0,
      samples: { proven: events.length, failed: [] },
      leftOut: [],
    });
  });

  it('says what was left out of a document, and why', async () => {
    const schema = { type: 'object', properties: { at: { type: 'string', format: 'moon-phase' } } };
    const post = { requestBody: { content: { 'application/json': { schema } } } };
    const document = { openapi: '3.1.0', info: { title: 'Moon', version: '1' }, webhooks: { risen: { post } } };
    await writeFile(join(cwd, 'moon.json'), JSON.stringify(document));
    const { code, stdout } = await cli('contract', 'check', 'shopify', '--openapi', 'moon.json', '--json');
    const { leftOut } = JSON.parse(stdout) as { leftOut: object[] };
    expect({ code, leftOut }).toEqual({
      code: 0,
      leftOut: [
        expect.objectContaining({ pointer: expect.stringContaining('#/webhooks/risen') as string, keyword: 'format' }),
      ],
    });
  });

  it('names the headers that the document requires and deliveries do not have', async () => {
    const header = (name: string, more: object) => ({ name, in: 'header', required: true, ...more });
    const parameters = [header('X-Shopify-Topic', {}), header('X-Moon', { example: 'full' }), header('x-tide', {})];
    const post = { parameters, requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } };
    const document = { openapi: '3.1.0', info: { title: 'Moon', version: '1' }, webhooks: { risen: { post } } };
    await writeFile(join(cwd, 'phases.json'), JSON.stringify(document));
    const { stdout } = await cli('contract', 'check', 'shopify', '--openapi', 'phases.json', '--json');
    const { leftOut } = JSON.parse(stdout) as { leftOut: object[] };
    expect(leftOut).toEqual([
      {
        pointer: '#/webhooks/risen/post/parameters/1',
        keyword: 'parameters',
        effect: 'unsent',
        message: expect.stringMatching(/the header X-Moon of 1 of \d+ webhooks.*\(X-Moon: "full"\)\.$/) as string,
      },
      expect.objectContaining({ message: expect.stringMatching(/the header x-tide .*add it to headers\.$/) as string }),
    ]);
  });

  it('names a place that no schema has, and the nearest one that there is', async () => {
    const properties = { delivery: { type: 'string' }, type: { type: 'string' } };
    const contract = {
      contract: 1,
      event: { at: '$request.body#/type' },
      id: { at: '$request.body#/delivry' },
      envelope: { type: 'object', properties },
      events: { a: true },
    };
    await writeFile(join(cwd, 'misspelt.yaml'), JSON.stringify(contract));
    const { code, stdout } = await cli('contract', 'check', 'misspelt.yaml');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('look at') as string });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain("id: no event's schema has /delivry; did you mean /delivery?");
  });

  it('refuses a contract of which nothing can be generated', async () => {
    const contract = {
      contract: 1,
      event: { at: '$request.header.X-Event' },
      envelope: { allOf: [{ type: 'string' }, { type: 'number' }] },
      events: { a: true, b: true },
    };
    await writeFile(join(cwd, 'impossible.yaml'), JSON.stringify(contract));
    const { code, stdout, stderr } = await cli('contract', 'check', 'impossible.yaml');
    // What is wrong with several is said once.
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(' 2: a, b: No values can be generated');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('of which no valid delivery can be made') as string,
    });
  });

  it('names the nearest command of its group', async () => {
    const { code, stderr } = await cli('contract', 'chek');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'unknown command \'contract chek\'\n  valid: check, init, show\n  do:    did you mean "check"?',
    );
    expect(await cli('contract', 'check', '--jsn')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('seaworthy contract check --help lists its options') as string,
    });
  });

  it('shows its commands where none is given', async () => {
    const { code, stderr } = await cli('contract');
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: seaworthy contract <command>');
    expect(await cli('contract', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(stderr) as string,
    });
  });
});
