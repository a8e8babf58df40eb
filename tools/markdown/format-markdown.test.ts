import { expect, test } from '@jest/globals';
import { readDocuments } from '../walls/read-files.ts';
import { unformatted, wideTables } from './check.ts';
import { formatMarkdown } from './format-markdown.ts';

test('every document is formatted, and no cell of a table is wider than a line', () => {
  expect(wideTables(readDocuments())).toEqual([]);
  expect(unformatted(readDocuments())).toEqual([]);
});

test('a padded table is refused, and formatted with one space around each cell', () => {
  const padded = '| a      | b   |\n|:-------|----:|\n| a \\| c |     |\n';
  expect(unformatted(new Map([['docs/x.md', padded]]))).toEqual(['docs/x.md']);
  expect(formatMarkdown(padded)).toBe('| a | b |\n| :--- | ---: |\n| a \\| c | |\n');
});

test('a table with a cell of over 120 characters is named; one in code is not', () => {
  const row = `| a | ${'x'.repeat(121)} |`;
  expect(wideTables(new Map([['docs/x.md', `${row}\n| a | ${'x'.repeat(120)} |\n\n\`\`\`\n${row}\n\`\`\`\n`]]))).toEqual([
    `docs/x.md: ${row.slice(0, 40)}`,
  ]);
});

test('prose and list items wrap at 120 characters; code and links stay whole', () => {
  const words = Array(30).fill('word').join(' ');
  expect(formatMarkdown(`${words}\n`)).toBe(`${Array(24).fill('word').join(' ')}\n${Array(6).fill('word').join(' ')}\n`);
  const link = `[the page](${'x'.repeat(60)} of)`;
  expect(formatMarkdown(`  - ${words} ${link}\n`)).toBe(
    `  - ${Array(23).fill('word').join(' ')}\n    ${Array(7).fill('word').join(' ')} ${link}\n`,
  );
  expect(formatMarkdown(`${'x'.repeat(118)} \`a b\` - c\n`)).toBe(`${'x'.repeat(118)}\n\`a b\` - c\n`);
});

test('code, front matter and comments stay as they are, and formatting twice changes nothing', () => {
  const text = `---\na:   b\n---\n\n<!-- x   y -->\n\n- item\n\n  \`\`\`sh\n  echo   "${'x '.repeat(80)}"\n  \`\`\`\n`;
  expect(formatMarkdown(text)).toBe(text);
  for (const [, page] of readDocuments()) expect(formatMarkdown(formatMarkdown(page))).toBe(formatMarkdown(page));
});
