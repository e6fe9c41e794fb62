import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

/** Where Debian and others install the browser. The one without a window takes half the time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

const executable = places.find((path) => existsSync(path));

/** Whether tests that need a browser are skipped: where there is none, save in CI, where they must run. */
export const chromiumSkipped = executable === undefined && process.env['SEAWORTHY_CI'] === undefined;

/** What a test that needs the browser is called beside its name. */
export const chromiumNeeded = chromiumSkipped
  ? ' (skipped: no Chromium is installed; Debian: apt-get install chromium-headless-shell)'
  : '';

/** A browser of this test's own, that reaches nothing but this machine. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executable === undefined ? {} : { executablePath: executable }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
