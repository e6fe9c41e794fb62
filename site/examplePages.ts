import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** A page of an example: both of its forms, with what the catalogue says of it. */
interface ExamplePage {
  /** Its folder. */
  readonly id: string;
  readonly name: string;
  /** The files that it shows, by their paths. */
  readonly shows: readonly string[];
  readonly text: string;
}

/** The pages of the rows of `examples/README.md`. @param folder - the one of the examples */
export function examplePages(folder: string): readonly ExamplePage[] {
  const rows = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(
    /^\| (.*?): \[wrong\]\((.*?)\), \[right\]\((.*?)\) *\| (.*?) *\| (.*?) *\| (.*?) *\| (.*?) *\|$/gm,
  );
  return [...rows].map(([, title = '', wrong = '', right = '', mistake = '', breaks = '', fix = '', start = '']) => {
    const shows = [wrong, right].map((path) => join(folder, path));
    const broken = breaks.split(', ').map((id) => `[${id}](../requirements/${id}.md)`);
    const text = [
      `# ${title}`,
      `The usual mistake: ${mistake}. It breaks ${broken.join(', ')}.`,
      `The fix: ${fix}.`,
      `Started with ${start}. [How receivers go wrong](../../../examples/README.md) has the line that tests it.`,
      ...['Wrong', 'Right'].map((form, index) => `## ${form}\n\n${block(shows[index]!)}`),
    ];
    return { id: dirname(wrong), name: title.replaceAll('`', ''), shows, text: `${text.join('\n\n')}\n` };
  });
}

const languages: Readonly<Record<string, string>> = { '.ts': 'ts', '.py': 'python', '.java': 'java', '.json': 'json' };

function block(path: string): string {
  return `\`\`\`${languages[extname(path)] ?? 'text'}\n${readFileSync(path, 'utf8')}\`\`\``;
}
