import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = '{spec,generators,suites,reports,runner,reference}/**/*.ts';

/** What is found from where a file lies: its quotes, and the text in them. */
const located = /new URL\(\s*(['`])([^'`\n]+)\1,\s*import\.meta\.url/g;

test('every file that another one finds from where it lies is there', async () => {
  const found: string[] = [];
  const missing: string[] = [];
  for await (const file of glob(rooms, { cwd: root })) {
    const source = await readFile(new URL(file, pathToFileURL(root)), 'utf8');
    for (const [, , text = ''] of source.matchAll(located)) {
      const path = text.replace('${extname(import.meta.url)}', '.ts');
      // Help is written where the package is built; a clone makes it at each call.
      if (path.includes('${') || path === './help.json') continue;
      found.push(path);
      if (!existsSync(new URL(path, new URL(file, pathToFileURL(root))))) missing.push(`${file}: ${path}`);
    }
  }
  expect(missing).toEqual([]);
  expect(found).toContain('../../../reference/receiver/main.ts');
});
