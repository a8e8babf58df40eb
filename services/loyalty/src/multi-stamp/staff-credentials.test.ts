import { describe, expect, test } from '@jest/globals';
import { sessionIsValid, validCards } from './rules.ts';

const [here, elsewhere] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

const store = (id: string) => ({ id, role: 'staff' as const });

const card = (token_id: string, store_id: string, revoked = false) => ({ token_id, store_id, revoked });

describe('validCards', () => {
  test('returns a card of a store where the member works', () => {
    expect(validCards({ stores: [store(here)], cards: [card('a', here), card('b', elsewhere)] })).toEqual([card('a', here)]);
  });

  test('leaves out a token that is revoked at any store', () => {
    const cards = [card('a', here), card('a', elsewhere, true), card('b', here)];
    expect(validCards({ stores: [store(here), store(elsewhere)], cards })).toEqual([card('b', here)]);
  });
});

describe('sessionIsValid', () => {
  const session = { storeIds: new Set([here]) };

  test('a session is valid at a store it lists, once the directory has published its member', () => {
    expect(sessionIsValid(session, here, { revoked: false })).toBe(true);
    expect(sessionIsValid(session, here, null)).toBe(false);
  });

  test('a session is not valid at a store it does not list, or once it is revoked', () => {
    expect(sessionIsValid(session, elsewhere, { revoked: false })).toBe(false);
    expect(sessionIsValid(session, here, { revoked: true })).toBe(false);
  });
});
