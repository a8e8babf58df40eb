import { expect, test } from '@jest/globals';
import { undoRefusal } from './undo.ts';

test('only stamps granted at the counter can be undone, and only while they are unused', () => {
  expect(undoRefusal(null)).toBe('STAMP_NOT_FOUND');
  expect(undoRefusal({ source: 'order', used: false })).toBe('STAMP_NOT_UNDOABLE');
  expect(undoRefusal({ source: 'hub', used: true })).toBe('STAMP_ALREADY_USED');
  expect(undoRefusal({ source: 'hub', used: false })).toBeNull();
});
