import type { CustomHeader, Problem } from './records.ts';
import { signatureHeader } from './signing.ts';

/** A token (RFC 9110, 5.6.2). */
const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;

/** What a field value may hold (RFC 9110, 5.5): no line break and no other control character. */
const validValue = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/;

/** Names that the service or HTTP itself needs, in lower case: the body's form, the connection, the signature. */
const reserved = new Set([
  signatureHeader.toLowerCase(),
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** What speaks against a custom header. @param pointer - where the header stands in the body */
export function headerProblems({ name, value }: CustomHeader, pointer: string): readonly Problem[] {
  const problem = (rule: string, member: string, detail: string): Problem => {
    return { status: 422, rule, pointer: `${pointer}/${member}`, detail: `${pointer}/${member} ${detail}` };
  };
  const problems: Problem[] = [];
  if (!validName.test(name)) {
    problems.push(
      problem('header-name', 'name', 'is no header name. Valid are letters, digits and hyphens, as in X-Custom-Name.'),
    );
  } else if (reserved.has(name.toLowerCase())) {
    problems.push(
      problem('reserved-header', 'name', `is ${name}, which the service sets itself. Choose another name.`),
    );
  }
  if (!validValue.test(value)) {
    problems.push(
      problem(
        'header-value',
        'value',
        'cannot be sent. Valid are up to 4096 printable characters of Latin-1 without line breaks.',
      ),
    );
  }
  return problems;
}

/** Whether a custom header may go out. */
export function isSendable(header: CustomHeader): boolean {
  return headerProblems(header, '').length === 0;
}

/** Auto-capitalisation (section 2.1): the first letter of each part between hyphens. */
export function capitalised(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
