import { expect, test } from '@jest/globals';
import { nothingScanned, scanKey } from './scanner.ts';

function type(keys: readonly string[], apart: number): string | null {
  let now = nothingScanned;
  let scanned: string | null = null;
  for (const [n, key] of keys.entries()) [now, scanned] = scanKey(now, key, 1_000 + n * apart);
  return scanned;
}

test('a text that is typed at once and ended by Enter is a scan; what a person types, and what is too short, is none', () => {
  expect(type([...'CARD-1', 'Enter'], 8)).toBe('CARD-1');
  expect(type([...'CARD-1', 'Enter'], 90)).toBeNull();
  expect(type([...'123', 'Enter'], 8)).toBeNull();
  expect(type(['C', 'Shift', 'A', 'R', 'D', 'Enter'], 8)).toBe('CARD');
});
