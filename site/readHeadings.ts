/** What is used here of the Markdown parser and its tokens. */
interface Parser {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: { readonly tokens: readonly Token[] }) => void): void };
  };
}

interface Token {
  readonly type: string;
  content: string;
  children: Token[] | null;
}

/**
 * Gives headings the anchors that they have elsewhere: TypeDoc leaves out what stands in `code`.
 * Code becomes a text within tags.
 */
export function readHeadings(parser: Parser): void {
  parser.core.ruler.push('code_in_headings', ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      if (tokens[index - 1]?.type !== 'heading_open' || children === null) continue;
      tokens[index]!.children = children.flatMap((child) => (child.type === 'code_inline' ? inTags(child) : [child]));
    }
  });
}

function inTags(code: Token): readonly Token[] {
  const [open, text, close] = [code, code, code].map(
    (token) => Object.assign(Object.create(Object.getPrototypeOf(token)), token) as Token,
  );
  Object.assign(open!, { type: 'html_inline', content: '<code>' });
  Object.assign(text!, { type: 'text' });
  Object.assign(close!, { type: 'html_inline', content: '</code>' });
  return [open!, text!, close!];
}
