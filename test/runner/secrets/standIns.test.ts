import { describe, expect, it } from 'vitest';

import { variableWord } from '../../../reports/curl/shell.ts';
import { filledText, hiddenVariables } from '../../../runner/replay/replaySaved.ts';
import { headerStandIns, headerValues } from '../../../runner/secrets/standIns.ts';
import { Secrets } from '../../../runner/secrets/secrets.ts';
import type { Header } from '../../../suites/delivery.ts';

const basic = `Basic ${Buffer.from('me:hush:hush').toString('base64')}`;

function hidden(text: string, ...headers: readonly Header[]): string {
  return new Secrets(headerStandIns(headers)).hideTyped(text);
}

describe('the values of headers in other texts', () => {
  it('are hidden where the header is one for credentials, or the value looks drawn', () => {
    expect(hidden('said staging-key', ['X-Api-Key', 'staging-key'])).toBe('said $SEAWORTHY_HEADER_X_API_KEY');
    expect(hidden('a=1; b=2', ['Cookie', 'a=1; b=2'])).toBe('$SEAWORTHY_HEADER_COOKIE');
    const drawn = '550e8400-e29b-41d4-a716-446655440000';
    expect(hidden(`for ${drawn}`, ['X-Tenant', drawn])).toBe('for $SEAWORTHY_HEADER_X_TENANT');
  });

  it('stay where they may be words of anything else', () => {
    const text = 'https://staging.example.com/hooks application/json receiver my-staging-environment-number-2';
    for (const value of ['staging', 'application/json', 'receiver', 'my-staging-environment-number-2'])
      expect(hidden(text, ['X-Env', value])).toBe(text);
  });

  it('are looked for without the scheme before them, and as the password in them', () => {
    expect(hidden('abc12345', ['X-Auth', 'Api-Key abc12345'])).toBe('${SEAWORTHY_HEADER_X_AUTH#* }');
    expect(hidden('you said hush:hush', ['Authorization', basic])).toBe(
      'you said $SEAWORTHY_HEADER_AUTHORIZATION_PASSWORD',
    );
    const userAlone = `Basic ${Buffer.from('only-a-user:').toString('base64')}`;
    expect(hidden('only-a-user', ['Authorization', userAlone])).toBe('$SEAWORTHY_HEADER_AUTHORIZATION_PASSWORD');
  });

  it('come back, from headers or from the environment, also where a word goes on behind them', () => {
    const header: Header = ['Authorization', basic];
    const command = hidden(`start --as hush:hush --db hush:hushdb --with ${basic} ${basic.slice(6)}`, header);
    expect(command).toBe(
      'start --as $SEAWORTHY_HEADER_AUTHORIZATION_PASSWORD --db ${SEAWORTHY_HEADER_AUTHORIZATION_PASSWORD}db ' +
        '--with $SEAWORTHY_HEADER_AUTHORIZATION ${SEAWORTHY_HEADER_AUTHORIZATION#* }',
    );
    const whole = `start --as hush:hush --db hush:hushdb --with ${basic} ${basic.slice(6)}`;
    expect(filledText(command, { header: [header.join(': ')] }, {})).toBe(whole);
    expect(filledText(command, {}, { SEAWORTHY_HEADER_AUTHORIZATION: basic })).toBe(whole);
    expect(hiddenVariables({ options: { start: [command] } })).toEqual(
      Object.keys(headerValues([header])).toReversed(),
    );
  });

  it('are filled in by the shell in all forms', () => {
    const word = variableWord('http://here/${KEY}s/$KEY/${KEY#* }', ['KEY']);
    expect(word).toBe('"http://here/${KEY}s/$KEY/${KEY#* }"');
    expect(variableWord("it's ${KEY#* }", ['KEY'])).toBe(`'it'\\''s '"\${KEY#* }"`);
  });
});
