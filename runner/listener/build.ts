import { fileURLToPath } from 'node:url';

import { bundlePage } from '../../reports/formats/html/build.ts';

const notice = '/* With Preact (MIT, (c) 2015-present Jason Miller). */';

/** Bundles the page of `seaworthy listen` to where `pageServer.ts` reads it. */
export function buildListenerPage(): Promise<void> {
  const entry = fileURLToPath(new URL('page/main.tsx', import.meta.url));
  return bundlePage(entry, fileURLToPath(new URL('.', import.meta.url)), notice);
}

if (import.meta.main) await buildListenerPage();
