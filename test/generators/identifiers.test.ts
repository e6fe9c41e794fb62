import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  billOfLading,
  bookingNumber,
  containerCheckDigit,
  containerNumber,
  customHeaderName,
  customHeaderValue,
  imoCheckDigit,
  imoNumber,
  locode,
  scac,
  shippingLineScacs,
  timestamp,
  trackingNumber,
  voyageNumber,
} from '../../generators/index.ts';
import { obeysTheLaws } from './laws.ts';

const hasCheckDigit = (number: string): boolean =>
  /^[A-Z]{3}[UJZ]\d{7}$/.test(number) && containerCheckDigit(number.slice(0, 10)) === Number(number[10]);

obeysTheLaws('containerNumber', { arbitrary: () => containerNumber(), isValid: hasCheckDigit });
obeysTheLaws('containerNumber of an owner', {
  arbitrary: () => containerNumber({ owner: 'CSQ', category: 'Z' }),
  isValid: (number) => number.startsWith('CSQZ') && hasCheckDigit(number),
});
obeysTheLaws('scac', { arbitrary: scac, isValid: (code) => shippingLineScacs.includes(code) });
obeysTheLaws('billOfLading', {
  arbitrary: () => billOfLading(),
  isValid: (text) => /^[A-Z]{4}[0-9A-Z]{8}$/.test(text),
});
obeysTheLaws('billOfLading of a carrier', {
  arbitrary: () => billOfLading({ carrier: 'MAEU' }),
  isValid: (text) => text.startsWith('MAEU'),
});
obeysTheLaws('bookingNumber', {
  arbitrary: bookingNumber,
  isValid: (text) => /^(\d{9}|[A-Z]{3}\d{7})$/.test(text),
});
obeysTheLaws('trackingNumber', { arbitrary: trackingNumber, isValid: (text) => /^[0-9A-Z]{9,12}$/.test(text) });
obeysTheLaws('locode', { arbitrary: locode, isValid: (text) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(text) });
obeysTheLaws('imoNumber', {
  arbitrary: imoNumber,
  isValid: (text) => /^\d{7}$/.test(text) && imoCheckDigit(text.slice(0, 6)) === Number(text[6]),
});
obeysTheLaws('voyageNumber', { arbitrary: voyageNumber, isValid: (text) => /^\d{3}[EWNS]$/.test(text) });
obeysTheLaws('customHeaderName', { arbitrary: customHeaderName, isValid: (text) => /^X-[A-Z][a-z0-9]*$/.test(text) });
obeysTheLaws('customHeaderValue', {
  arbitrary: customHeaderValue,
  isValid: (text) => /^[ -~]+$/.test(text) && text.trim() === text,
});
obeysTheLaws('timestamp', {
  arbitrary: () => timestamp(),
  isValid: (text) => /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text)),
});
obeysTheLaws('timestamp of any form', {
  arbitrary: () => timestamp({ form: 'any' }),
  isValid: (text) => /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
});

describe('timestamp', () => {
  test('has every number of digits from none to six', () => {
    const drawn = fc.sample(timestamp({ form: 'any' }), { seed: 1, numRuns: 200 });
    const digits = new Set(drawn.map((text) => /\.(\d+)Z/.exec(text)?.[1]?.length ?? 0));
    expect(digits).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  });
});

describe('containerCheckDigit', () => {
  // Published examples: ISO 6346 itself, and numbers painted on containers.
  test.each([
    ['CSQU305438', 3],
    ['MSKU907032', 3],
    ['TOLU473478', 7],
    ['TEXU307007', 9],
  ])('of %s is %i', (number, digit) => {
    expect(containerCheckDigit(number)).toBe(digit);
  });

  test('refuses what is no container number', () => {
    expect(() => containerCheckDigit('CSQU3054383')).toThrow(
      "'CSQU3054383' has to be four capital letters and six digits, as in CSQU305438.",
    );
  });
});

describe('imoCheckDigit', () => {
  test('of 907472 is 9', () => {
    expect(imoCheckDigit('907472')).toBe(9);
  });
});
