export const width = 120;

/** Prose wraps at one width, tables have no padding. Code, headings, comments and front matter stay as they are. */
export function formatMarkdown(text: string): string {
  const output: string[] = [];
  let open: Paragraph | null = null;
  let end: RegExp | null = null;
  const close = () => {
    if (open) output.push(...wrapped(open));
    open = null;
  };
  for (const line of text
    .trimEnd()
    .split('\n')
    .map((whole) => whole.trimEnd())) {
    const [, indent = '', rest = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
    const item = /^(?:[-*+]|\d+\.) +/.exec(rest);
    if (end) {
      output.push(line);
      if (end.test(line)) end = null;
    } else if (rest.startsWith('```') || (output.length === 0 && line === '---')) {
      close();
      output.push(line);
      end = rest.startsWith('```') ? /^\s*```$/ : /^---$/;
    } else if (rest === '' || /^(?:#|<|---$)/.test(rest)) {
      close();
      if (rest !== '' || output.at(-1) !== '') output.push(line);
    } else if (rest.startsWith('|')) {
      close();
      output.push(indent + compactRow(rest));
    } else if (item) {
      close();
      open = { first: indent + item[0], hanging: ' '.repeat(indent.length + item[0].length), words: rest.slice(item[0].length) };
    } else if (open) open.words += ` ${rest}`;
    else open = { first: indent, hanging: indent, words: rest };
  }
  close();
  return `${output.join('\n')}\n`;
}

interface Paragraph {
  readonly first: string;
  readonly hanging: string;
  words: string;
}

const compactRow = (row: string): string =>
  `|${row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => ` ${cell.trim().replace(/^(:?)-+(:?)$/, '$1---$2')} `.replace(/^ {2}$/, ' '))
    .join('|')}|`;

/** Never breaks code and links, and begins no line with a mark that would start another block. */
function wrapped({ first, hanging, words }: Paragraph): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of words.match(/(?:`[^`]*`|\]\([^)]*\)|\S)+/g) ?? []) {
    const begins = line === first || line === hanging;
    if (begins || line.length + 1 + word.length <= width || /^(?:[-*+|>]|#+|\d+\.)$/.test(word)) line += begins ? word : ` ${word}`;
    else {
      lines.push(line);
      line = hanging + word;
    }
  }
  return [...lines, line];
}
