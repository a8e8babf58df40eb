import { expect, test } from '@jest/globals';
import { commentsIn, tableOf, weigh } from './weight.ts';

test('comments are counted as a reader meets them: lines without a gap are one, and text that looks like one is none', () => {
  const text = [
    '// One',
    '  // comment.',
    '',
    '// Another.',
    'f(); // A third.',
    '/** A fourth. */',
    'const url = "https://a.example";',
    '',
  ];
  expect(commentsIn('a.ts', text.join('\n'))).toBe(4);
});

test('lines are those of source or of tests, and words those of Markdown', () => {
  const nothing = { files: 1, source: 0, tests: 0, comments: 0, words: 0 };
  expect(weigh('services/orders/src/a.ts', '// Why.\nf();\n')).toEqual({ ...nothing, source: 2, comments: 1 });
  expect(weigh('services/orders/src/testing/a.ts', 'f();\n')).toEqual({ ...nothing, tests: 1 });
  expect(weigh('services/orders/src/a.test.ts', 'f();\n')).toEqual({ ...nothing, tests: 1 });
  expect(weigh('docs/a.md', '# Two words\n\nand three')).toEqual({ ...nothing, words: 5 });
  expect(weigh('deploy/a.yml', 'a: b\n')).toEqual(nothing);
});

test('a table shows each part and the sum, with what came and what went since the last release', () => {
  const one = { files: 2, source: 10, tests: 4, comments: 1, words: 0 };
  const rows = tableOf({ kept: one, come: one }, { kept: { ...one, source: 13 }, gone: one }).split('\n');
  expect(rows.map((row) => row.trim().split(/\s{2,}/))).toEqual([
    ['files', 'source', 'tests', 'comments', 'words'],
    ['come', '2 (+2)', '10 (+10)', '4 (+4)', '1 (+1)', '0'],
    ['gone', '0 (-2)', '0 (-10)', '0 (-4)', '0 (-1)', '0'],
    ['kept', '2', '10 (-3)', '4', '1', '0'],
    ['all', '4', '20 (-3)', '8', '2', '0'],
    [''],
  ]);
});
