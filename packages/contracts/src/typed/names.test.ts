import { expect, test } from '@jest/globals';
import { typedName } from './names.ts';
import { asPlainLine } from './plain.ts';

const name = typedName(80);

test.each(['Zoë O’Neill-Łukasz', 'مقهى الزاوية', 'קפה\u200f 7\u200e', 'می\u200cخواهم', '👩‍👩‍👧‍👦 Café', '<b>"Tom" & co</b>'])(
  'a name may be what people are called and what shops are called: %s',
  (text) => {
    expect(name.parse(` ${text}\n`)).toBe(text);
  },
);

test.each([
  'Zed\u001b[2J',
  'Zed\u0007',
  'Zed\u009b1m',
  'Zed\nTable 1',
  'Zed\u2028Table 1',
  '\u202egnp.exe',
  '\u2066Zed\u2069',
  'Zed\u007f',
])('a name is one line without control characters, and turns no text around: %j', (text) => {
  expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
    'must be one line, without control characters and without characters that turn the direction of text',
  ]);
  expect(name.safeParse(asPlainLine(text)).success).toBe(true);
});
