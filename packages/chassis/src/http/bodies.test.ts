import { expect, test } from '@jest/globals';
import { etagOf, isNamedBy } from './bodies.ts';

test('equal bodies have equal tags, and other bodies other ones', () => {
  expect(etagOf('{"a":1}')).toBe(etagOf('{"a":1}'));
  expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a":2}'));
  expect(etagOf('')).toMatch(/^"[\w-]{22}"$/);
});

test('a tag is named alone, in a list, as a weak one, and by an asterisk', () => {
  for (const header of ['"a"', '"b", "a"', 'W/"a"', '"b",W/"a"', '*']) expect(isNamedBy(header, '"a"')).toBe(true);
  for (const header of [undefined, '', '"b"', 'a', '"A"', '"a" "b"']) expect(isNamedBy(header, '"a"')).toBe(false);
});
