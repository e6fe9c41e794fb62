import { expect, test } from 'vitest';

import { examplePages } from '../../site/examplePages.ts';
import { groups } from '../../site/groups.ts';
import { requirementPages } from '../../site/requirementPages.ts';
import { loadContract } from '../../spec/contract.ts';
import { documents, root } from './documents.ts';

/** What is about work on the kit itself, and the first page. */
const elsewhere = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

test('the site has every document', () => {
  const listed = Object.values(groups).flat();
  expect(documents.filter((path) => !listed.includes(path) && !elsewhere.includes(path))).toEqual([]);
  expect(listed.length).toBe(new Set(listed).size);
});

test('the site has a page for each requirement: what is required, how it is tested, fixed and broken', async () => {
  const pages = await requirementPages();
  expect(pages.map(({ id }) => id)).toEqual(expect.arrayContaining(loadContract().requirements.map(({ id }) => id)));
  for (const { id, text } of pages)
    expect(text).toMatch(new RegExp(`^# ${id}: a (?:MUST|SHOULD|MAY) for a \\w+\n\n\\*\\*.+\\*\\*\n\nSource: .+\\.`));
  const { text } = pages.find((page) => page.id === 'VRF-2')!;
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  const explained = ['Why', 'How it is tested', 'How a failure is usually fixed', 'How it is broken', 'In a terminal'];
  expect(headings).toEqual(explained);
  const timestamps = pages.find((page) => page.id === 'VRF-7')!;
  expect(timestamps.text).toContain('seaworthy explain VRF-7 --contract standard-webhooks');
  const order = pages.map(({ id }) => id);
  expect(order.indexOf('VRF-7')).toBe(order.indexOf('VRF-6') + 1);
});

test('the site shows each example in both forms', () => {
  const pages = examplePages(`${root}examples`);
  expect(pages.map(({ id }) => id)).toContain('express');
  for (const { text } of pages) expect(text).toMatch(/\n## Wrong\n\n```\w+\n[^]+\n## Right\n\n```\w+\n/);
});
