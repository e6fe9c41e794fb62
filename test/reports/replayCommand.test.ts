import { describe, expect, it } from 'vitest';

import { replayCommand } from '../../reports/replayCommand.ts';

const command = 'npx seaworthy receiver http://localhost:3000/';

describe('the command that tries a saved case again', () => {
  it('takes over all headers where one of them is hidden, however they are quoted', () => {
    const headers = `--header 'Accept: it'\\''s' --header "X-Key: $SEAWORTHY_HEADER_X_KEY"`;
    const whole = `${command} --secret "$SEAWORTHY_SECRET" ${headers} --start 'serve --header "X-Not: mine"' --seed 1`;
    expect(replayCommand('a.json', whole)).toBe(`npx seaworthy replay a.json --secret "$SEAWORTHY_SECRET" ${headers}`);
  });

  it('leaves them to the file where none is', () => {
    expect(replayCommand("it's.json", `${command} --header 'Accept: */*' --seed 1`)).toBe(
      `npx seaworthy replay 'it'\\''s.json'`,
    );
  });
});
