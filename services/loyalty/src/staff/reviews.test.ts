import { expect, test } from '@jest/globals';
import { decideReview, undoRefusal } from './rules.ts';

test('a pending stamp is approved or rejected', () => {
  expect(decideReview('approve', 'pending')).toEqual({ step: 'approve' });
  expect(decideReview('reject', 'pending')).toEqual({ step: 'reject' });
});

test('a stamp that was reviewed the same way is left unchanged', () => {
  expect(decideReview('approve', 'approved')).toEqual({ step: 'leave unchanged' });
  for (const status of ['rejected', 'undone', 'reversed'] as const)
    expect(decideReview('reject', status)).toEqual({ step: 'leave unchanged' });
});

test('an approved stamp cannot be rejected', () => {
  expect(decideReview('reject', 'approved')).toEqual({ step: 'refuse', problem: 'STAMP_ALREADY_APPROVED' });
});

test.each(['rejected', 'undone', 'reversed'] as const)('a stamp that is %s cannot be approved', (status) => {
  expect(decideReview('approve', status)).toEqual({ step: 'refuse', problem: 'STAMP_ALREADY_REJECTED' });
});

test('only stamps granted at the counter can be undone, and only while they are unused', () => {
  expect(undoRefusal(null)).toBe('STAMP_NOT_FOUND');
  expect(undoRefusal({ source: 'order', used: false })).toBe('STAMP_NOT_UNDOABLE');
  expect(undoRefusal({ source: 'hub', used: true })).toBe('STAMP_ALREADY_USED');
  expect(undoRefusal({ source: 'hub', used: false })).toBeNull();
});
