import { expect, test } from '@jest/globals';
import { placeToKeep } from './place-to-keep.ts';

const early = '2026-05-01T11:00:00.000001Z';
const late = '2026-05-01T11:00:00.000002Z';

test.each([
  ['own', 'waiting', early, 'waiting', late],
  ['guest', 'waiting', late, 'waiting', early],
  ['guest', 'waiting', early, 'called', late],
  ['own', 'called', late, 'waiting', early],
  ['own', 'assigned', late, 'called', early],
  ['guest', 'called', early, 'assigned', late],
  ['both', 'assigned', early, 'assigned', late],
] as const)('%s stays when the own place is %s (%s) and the guest’s is %s (%s)', (kept, own, ownAt, guest, guestAt) => {
  expect(placeToKeep({ status: own, joined_at: ownAt }, { status: guest, joined_at: guestAt })).toBe(kept);
});
