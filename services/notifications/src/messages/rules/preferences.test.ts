import { expect, test } from '@jest/globals';
import { changedPreferences, defaultPreferences } from './preferences.ts';

test('only preferences whose value differs have changed', () => {
  const current = { ...defaultPreferences, messagesMuted: true, stampEventsEnabled: false };
  expect(changedPreferences(defaultPreferences, current)).toEqual({ messagesMuted: true, stampEventsEnabled: false });
  expect(changedPreferences(current, current)).toEqual({});
});
