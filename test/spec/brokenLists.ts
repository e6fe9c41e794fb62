import type { Breakage } from './breakage.ts';
import { broken } from './libraryContract.ts';

/** Requirements and assumptions of which one is broken. */
export const brokenLists: readonly Breakage[] = [
  {
    title: 'a requirement without a section',
    texts: broken('requirements', `id: LIB-1, section: '1',`, 'id: LIB-1,'),
    code: 'contract/requirement',
    names: 'LIB-1',
  },
  {
    title: 'a requirement with an unknown level',
    texts: broken('requirements', 'level: may', 'level: might'),
    code: 'contract/requirement',
    names: '"might"',
  },
  {
    title: 'a requirement with an unknown subject',
    texts: broken('requirements', 'subject: service', 'subject: librarian'),
    code: 'contract/requirement',
    names: '"librarian"',
  },
  {
    title: 'a requirement without a statement',
    texts: broken('requirements', ', statement: A note is read.', ''),
    code: 'contract/requirement',
    names: 'LIB-1',
  },
  {
    title: 'a section that YAML reads as a number',
    texts: broken('requirements', `section: '1'`, 'section: 1'),
    code: 'contract/requirement',
    names: 'LIB-1',
  },
  {
    title: 'an id that stands there twice',
    texts: broken('requirements', 'id: LIB-2', 'id: LIB-1'),
    code: 'contract/requirement-duplicate',
    names: 'LIB-1',
  },
  {
    title: 'no list of gaps',
    texts: broken('requirements', 'gaps:', 'holes:'),
    code: 'contract/requirement',
    names: '"gaps"',
  },
  {
    title: 'an assumption for a gap that is not listed',
    texts: broken('assumptions', 'gap: OPEN-1', 'gap: OPEN-2'),
    code: 'contract/assumption-gap',
    names: 'OPEN-2',
  },
  {
    title: 'an assumption of an unknown kind',
    texts: broken('assumptions', 'kind: integer', 'kind: number'),
    code: 'contract/assumption',
    names: '"number"',
  },
  {
    title: 'a default that its own kind does not take',
    texts: broken('assumptions', `default: '10'`, 'default: ten'),
    code: 'contract/assumption',
    names: '"ten"',
  },
  {
    title: 'an assumption without a statement',
    texts: broken('assumptions', ' statement: Loans on a page.,', ''),
    code: 'contract/assumption',
    names: 'pageSize',
  },
  {
    title: 'a choice without its values',
    texts: broken('assumptions', 'kind: integer', 'kind: one-of'),
    code: 'contract/assumption',
    names: 'pageSize',
  },
  {
    title: 'a key that two assumptions have',
    texts: broken(
      'assumptions',
      'assumptions:',
      `assumptions:\n  - { key: pageSize, gap: OPEN-1, statement: Again., kind: text, default: a, example: b }`,
    ),
    code: 'contract/assumption-duplicate',
    names: 'pageSize',
  },
];
