import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Secrets } from '../../../runner/secrets/secrets.ts';
import { secretStandIns } from '../../../runner/secrets/standIns.ts';
import { encodings } from './encodings.ts';
import { echoes, leaksIn, markOf } from './marks.ts';

const mark = markOf('secret');
const around = 'The receiver says of it: <that is all>.';

function leaks(text: string): number {
  return leaksIn(new Map([['it', text]]), { secret: mark }).length;
}

describe.each(Object.entries(echoes))('a secret: %s', (_, echo) => {
  const secrets = new Secrets(secretStandIns([mark]));
  const text = `${around} ${echo(mark)}, ${around}`;

  it('is found where it is not hidden', () => {
    expect([leaks(text), leaks(JSON.stringify(text)), leaks(around)]).toEqual([1, 1, 0]);
  });

  it('is hidden in texts, bytes and streams, and nothing around it', () => {
    const streamed = secrets.stream();
    const pieces = Array.from(text, (each) => streamed.write(Buffer.from(each)));
    const shown = [
      secrets.hide(text),
      secrets.hideTyped(text),
      secrets.hideIn({ said: text }).said,
      secrets.hideBytes(Buffer.from(text)).toString(),
      Buffer.concat([...pieces, streamed.end()]).toString(),
      JSON.parse(secrets.hide(JSON.stringify(text))) as string,
    ];
    for (const each of shown) {
      expect(leaks(each)).toBe(0);
      expect(each).toMatch(
        /^The receiver says of it: <that is all>\. .*\$\{?SEAWORTHY_SECRET.*, The receiver .* all>\.$/,
      );
    }
  });
});

/** Of what keys are made of. */
const key = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...Array.from('abcdefghijkXYZ0123456789')) },
      fc.constantFrom(...Array.from('+/=_-.~')),
    ),
    {
      minLength: 16,
      maxLength: 40,
    },
  )
  .map((characters) => `q7Z${characters.join('')}`);
const encoding = fc.constantFrom(...Object.keys(encodings));

describe('a secret that was encoded twice', () => {
  it('is hidden, in any two ways', () => {
    fc.assert(
      fc.property(key, encoding, encoding, (secret, first, second) => {
        const once = encodings[first]!(secret);
        // Nobody reads such a list.
        fc.pre(!(/^a list (?:of characters|on lines)/.test(second) && once.includes('\\')));
        const text = encodings[second]!(once);
        const shown = new Secrets(secretStandIns([secret])).hideTyped(`<${text}>`);
        const [, left = '', right = ''] =
          /^<(.*?)\$\{?SEAWORTHY_SECRET.*\}?(?<!SEAWORTHY_SECRE)(.*)>$/s.exec(shown) ?? [];
        expect(shown).toContain('SEAWORTHY_SECRET');
        // What stands for eight characters, and for what is not a part of the secret at its edges.
        const most = Math.ceil((text.length / secret.length) * 8) + 8;
        for (let at = 0; at + most <= text.length; at += 1) expect(shown).not.toContain(text.slice(at, at + most));
        expect(left.length + right.length).toBeLessThan(2 * most);
      }),
      { numRuns: 100 },
    );
  });

  it('takes nothing with it that stands beside it', () => {
    const secrets = new Secrets(secretStandIns([mark]));
    for (const encode of Object.values(encodings)) {
      const text = `${around} ${encodings['base64']!(encode(mark))}, ${around}`;
      expect(secrets.hide(text)).toMatch(
        /^The receiver says of it: <that is all>\. [\w$+/{}=]*\$\{?SEAWORTHY_SECRET\b.*, The receiver says of it: <that is all>\.$/,
      );
    }
  });

  it('in letters of another case is hidden where it is no word', () => {
    const secrets = new Secrets(secretStandIns(['webhook-secret', 'shared-key-1', mark]));
    const text = 'The header Webhook-Secret, Shared-Key-2 and SHARED, spelled W e b h o o k.';
    expect(secrets.hideTyped(text)).toBe(text);
  });
});

describe('a part of a secret', () => {
  it('stays where it is words, or shorter than eight characters', () => {
    const secrets = new Secrets(secretStandIns(['the-webhook-secret-of-development', mark]));
    const text = `a webhook-secret of development, ${mark.slice(0, 7)} and ${mark.slice(9, 16)}.`;
    expect(secrets.hideTyped(text)).toBe(text);
    expect(secrets.hideTyped('say hook-secret-of-dev')).toBe('say $SEAWORTHY_SECRET');
  });
});
