/** What is used here of the Markdown parser and its tokens. */
interface Parser {
  readonly linkify: { set(options: { readonly fuzzyLink: boolean }): void };
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
 * Lets Markdown mean here what it means elsewhere. A name such as `data.id` is no address. Headings have the anchors that they
 * have elsewhere: TypeDoc leaves out what stands in `code`, so code in them becomes a text within tags.
 */
export function readMarkdown(parser: Parser): void {
  parser.linkify.set({ fuzzyLink: false });
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
