import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { entityNames } from '../../../runner/secrets/spellings.ts';
import { Secrets } from '../../../runner/secrets/secrets.ts';
import { secretStandIns, withSecrets } from '../../../runner/secrets/standIns.ts';
import { variableStandIns } from '../../../runner/secrets/confided.ts';
import { anySecret, everySpelling } from './spelled.ts';

function hidden<T>(value: T, secrets: readonly string[]): T {
  return new Secrets(secretStandIns(secrets)).hideTyped(value);
}

describe('secrets in texts of the user or the target', () => {
  it('are hidden wherever they stand, and come back', () => {
    const command = 'node server.js --secret=old-secret-1 --next "old-secret-2"';
    const shown = hidden({ options: { start: [command] } }, ['old-secret-1', 'old-secret-2']);
    expect(shown.options.start).toEqual(['node server.js --secret=$SEAWORTHY_SECRET --next "$SEAWORTHY_SECRET_2"']);
    expect(withSecrets(shown.options.start[0]!, ['new $& 1', 'new 2'])).toBe(
      'node server.js --secret=new $& 1 --next "new 2"',
    );
  });

  it('are no words that stand for themselves', () => {
    const text = 'first delivery, the+secret, late-redelivery.json';
    expect(hidden(text, ['the secret of a late redelivery'])).toBe(text);
    expect(hidden('of a late redelivery', ['the secret of a late redelivery'])).toBe('$SEAWORTHY_SECRET');
  });

  it('are looked for as whole words only where they are short', () => {
    expect(hidden('sh start.sh -s s', ['s'])).toBe('sh start.sh -s $SEAWORTHY_SECRET');
  });

  it('are hidden whole where one begins with another, and come back where a word goes on behind them', () => {
    const secrets = ['key-12', 'key-12-and-more'];
    const shown = hidden('a key-12-and-more, a key-12, a key-12s', secrets);
    expect(shown).toBe('a $SEAWORTHY_SECRET_2, a $SEAWORTHY_SECRET, a ${SEAWORTHY_SECRET}s');
    expect(withSecrets(shown, secrets)).toBe('a key-12-and-more, a key-12, a key-12s');
  });

  it('are left out of any text that holds one', () => {
    const secret = fc.string({ minLength: 6 }).filter((text) => !'$SEAWORTHY_SECRET'.includes(text));
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        expect(hidden(before + value + after, [value])).not.toBe(before + value + after);
        expect(withSecrets(hidden(`${before} ${value}`, [value]), [value])).toContain(value);
      }),
    );
  });

  it('are found in every spelling, and no text around them is lost', () => {
    fc.assert(
      fc.property(anySecret, (secret) => {
        const secrets = new Secrets(secretStandIns([secret]));
        for (const [spelling, text] of Object.entries(everySpelling(secret))) {
          const shown = secrets.hide(`<${text}>`);
          expect({ spelling, shown }).toEqual({
            spelling,
            shown: expect.stringMatching(/^<[\w+/-]{0,4}\$\{?SEAWORTHY_SECRET\}?[\w+/=-]{0,8}>$/) as unknown,
          });
        }
      }),
      { numRuns: 20 },
    );
  });

  it('stay where they are words of the kit, but not where they are encoded', () => {
    const shown = new Secrets(secretStandIns(['receiver'])).hideIn({ kind: 'receiver', said: 'receiver' });
    expect(shown).toEqual({ kind: 'receiver', said: '$SEAWORTHY_SECRET' });
    const encoded = Buffer.from('receiver').toString('base64');
    expect(new Secrets(secretStandIns(['receiver'])).hide(`receiver ${encoded}`)).toBe('receiver $SEAWORTHY_SECRET');
  });

  it('are hidden whole in words of the kit, whose end may be how one begins', () => {
    const secrets = new Secrets(secretStandIns(['a secret of mine']));
    const step = { do: 'forge', how: { kind: 'a plain hash without a secret' } };
    expect(secrets.hideIn({ step })).toEqual({ step });
    expect(secrets.hideIn({ step: { key: 'a secret of mine' }, said: 'it was a secret' })).toEqual({
      step: { key: '$SEAWORTHY_SECRET' },
      said: 'it was $SEAWORTHY_SECRET',
    });
  });

  it('are hidden where a text is cut off within them', () => {
    for (const end of ['', '…', '...', '" and more'])
      expect(hidden(`"it said a-long-secr${end}`, ['a-long-secret'])).toBe(`"it said $SEAWORTHY_SECRET${end}`);
  });

  it('are looked for in a time that grows as the text does, where it is made to look like them', () => {
    const secrets = new Secrets(secretStandIns([`a${'\\'.repeat(10)}b`, `c${'%'.repeat(10)}d`, `e${'/'.repeat(10)}f`]));
    /** Microseconds of CPU of this thread, which a busy machine does not make more. */
    const work = (filler: string, times: number): number => {
      const text = ['a', 'c', 'e'].map((start) => start + filler.repeat(times)).join('');
      const before = process.threadCpuUsage();
      expect(secrets.hideBytes(Buffer.from(text)).toString()).toBe(text);
      secrets.stream().write(Buffer.from(text));
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    for (const filler of ['\\', '%', '%25', '/', '\\/', '&amp;', 'a', ' ']) {
      work(filler, 500);
      // Four times the text; sixteen times the work where each place is compared with all that follow.
      const [less, more] = [work(filler, 500), work(filler, 2000)];
      expect({ filler, ratio: more / (less + 20_000) }).toEqual({
        filler,
        ratio: expect.toSatisfy((times) => times < 8),
      });
    }
  });

  it('knows each name that HTML has for a character once', () => {
    const names = Object.values(entityNames).flat();
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('a stream of bytes', () => {
  it('shows no secret wherever it is cut, and all else', () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 12 });
    fc.assert(
      fc.property(anySecret, fc.string({ unit: 'binary' }), cuts, fc.nat(30), (secret, around, places, which) => {
        const spellings = Object.values(everySpelling(secret));
        const spelled = spellings[which % spellings.length]!;
        const whole = Buffer.from(`${around}\n${spelled}\n${around}`);
        const secrets = new Secrets(secretStandIns([secret]));
        const stream = secrets.stream();
        const borders = [...places, whole.length].toSorted((one, other) => one - other);
        const pieces = borders.map((end, at) => stream.write(whole.subarray(borders[at - 1] ?? 0, end)));
        const shown = Buffer.concat([...pieces, stream.end()]);
        const atOnce = secrets.hideBytes(whole);
        expect(shown.toString('latin1')).toBe(atOnce.toString('latin1'));
        expect(shown.includes(spelled)).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  it('holds back no more than what may be the beginning of a secret', () => {
    const stream = new Secrets(secretStandIns(['a-long-secret'])).stream();
    expect(stream.write(Buffer.from('listening: a-lo')).toString()).toBe('listening: ');
    expect(stream.write(Buffer.from('cal host\n')).toString()).toBe('a-local host\n');
  });
});

describe('the variables of a target', () => {
  it('are secret, unless their values give nothing away', () => {
    const open = {
      NODE_ENV: 'production',
      PORT: '30001234',
      KEY: 'short',
      DATABASE: '/var/lib/receiver.db',
      API: 'http://localhost:4010/v2',
      SSL_KEY_FILE: '/etc/ssl/private.pem',
      TIMES: '20ms,50ms,1.5s',
      PEER: 'localhost:3000',
      ADDRESS: '127.0.0.1:3000',
      LANG: 'en_US.UTF-8',
    };
    expect(variableStandIns(open)).toEqual([]);
    const secret = { WEBHOOK_SECRET: 'plainword', SALT: 'x9-3f8a1', URL: 'postgres://me:hush%2Fhush@localhost/db' };
    expect(variableStandIns(secret)).toEqual([
      { secret: 'plainword', shown: '$WEBHOOK_SECRET' },
      { secret: 'x9-3f8a1', shown: '$SALT' },
      { secret: secret.URL, shown: '$URL' },
      { secret: 'hush%2Fhush', shown: '$URL' },
      { secret: 'hush/hush', shown: '$URL' },
    ]);
  });
});

it('a text of many mebibytes that repeats something stays as it is', () => {
  const repeated = ['1,', 'a ', '41 '].map((filling) => filling.repeat((1 << 20) / filling.length)).join('');
  const text = repeated + 'x'.repeat(4 << 20);
  expect(new Secrets([{ secret: 'tok-8d7f6s5a4f3d2s1a', shown: '$KEY' }]).hide(text) === text).toBe(true);
});
