import { expect, test } from '@jest/globals';
import type { Stamp } from '../loyalty-operations.ts';
import { reasonText, sourceText, stampsOf, undoable } from './stamps.ts';

const stamp = (id: string, customer_id: string, source: string): Stamp =>
  ({ id, store_id: 's', customer_id, source, status: 'approved' }) as Stamp;

test('a customer’s newest stamp from the counter can be undone, and no other', () => {
  const stamps = [stamp('1', 'ana', 'order'), stamp('2', 'bo', 'hub'), stamp('3', 'ana', 'hub'), stamp('4', 'ana', 'hub')];
  expect(undoable(stampsOf(stamps, 'ana'))?.id).toBe('3');
  expect(undoable(stampsOf(stamps, 'dee'))).toBeNull();
});

test('reasons and sources are words; unknown ones are shown as they are', () => {
  expect([reasonText('no_proof'), reasonText('tap_on_moon'), reasonText(null)]).toEqual([
    'No tap proves that the customer was there',
    'tap on moon',
    'No reason given',
  ]);
  expect([sourceText('hub'), sourceText('some_thing'), sourceText(null)]).toEqual(['granted at the counter', 'some thing', 'unknown']);
});
