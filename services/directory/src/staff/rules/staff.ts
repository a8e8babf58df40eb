import { type DirectoryObject, Problem, type Role, shownOfToken } from '@corner/contracts';

/** Seconds of a staff session: a day at work. Services that take one accept no longer one. */
export const staffSessionSeconds = 12 * 3_600;

type Person = DirectoryObject<'staff'>;
/** A card as a change names it. Without `revoked` that stays as it is. */
type CardEdit = { readonly token_id: string; readonly revoked?: boolean | undefined };

/** A change of a person at one store. An absent field stays; the role null dismisses them. */
export interface StaffChange {
  readonly name?: string | undefined;
  readonly role?: Role | null | undefined;
  readonly cards?: readonly CardEdit[] | undefined;
  readonly revoke_cards?: readonly string[] | undefined;
  readonly revoke_sessions?: readonly string[] | undefined;
}

export const roleAt = ({ stores }: Person, storeId: string): Role | null => stores.find(({ id }) => id === storeId)?.role ?? null;

/** Throws INSUFFICIENT_ROLE unless a person with the role `by` may change a person who has or gets the given roles. */
export function checkStaffRoles(by: Role, roles: readonly (Role | null | undefined)[]): void {
  const above = roles.find((role) => role && role !== 'staff');
  if (by !== 'owner' && above)
    throw new Problem('INSUFFICIENT_ROLE', {
      message: `role: only an owner of the store changes people with the role ${above}, or makes someone ${above}.`,
    });
}

/** Returns a person after a change of their part of one store. Throws INSUFFICIENT_ROLE for the name of a person who works elsewhere too. */
export function editStaff(person: Person, storeId: string, change: StaffChange): Person {
  const { name = person.name, role = roleAt(person, storeId), cards = [], revoke_cards = [], revoke_sessions = [] } = change;
  if (name !== person.name && person.stores.some(({ id }) => id !== storeId))
    throw new Problem('INSUFFICIENT_ROLE', {
      message: 'name: the person works at another store too; an import of the directory changes the name.',
    });
  const elsewhere = person.stores.filter(({ id }) => id !== storeId);
  return {
    ...person,
    name,
    stores: role === null ? elsewhere : inPlace(person.stores, { id: storeId, role }),
    cards: withCards(person.cards, storeId, cards)
      .filter((card) => role !== null || !servesElsewhere(card, storeId, person))
      .map((card) =>
        card.store_id === storeId && (role === null || revoke_cards.some((end) => card.token_id.endsWith(end)))
          ? { ...card, revoked: true }
          : card,
      ),
    revoked_sessions: [...new Set([...person.revoked_sessions, ...revoke_sessions])],
  };
}

/**
 * Returns whether a card of one store is also one of another. A token that is revoked at any store is refused everywhere, so this one is
 * dropped.
 */
const servesElsewhere = ({ store_id, token_id }: Person['cards'][number], storeId: string, { cards }: Person): boolean =>
  store_id === storeId && cards.some((card) => card.store_id !== storeId && card.token_id === token_id && !card.revoked);

const inPlace = (stores: Person['stores'], store: Person['stores'][number]): Person['stores'] =>
  stores.some(({ id }) => id === store.id) ? stores.map((other) => (other.id === store.id ? store : other)) : [...stores, store];

/** A card belongs to one store: one that the person has at another store is a new one here. */
function withCards(cards: Person['cards'], storeId: string, changes: readonly CardEdit[]): Person['cards'] {
  const keyOf = (card: { readonly store_id: string; readonly token_id?: string | undefined }) => `${card.store_id} ${card.token_id}`;
  const byKey = new Map(cards.map((card) => [keyOf(card), card]));
  for (const change of changes) {
    const key = keyOf({ ...change, store_id: storeId });
    byKey.set(key, { revoked: false, ...byKey.get(key), ...change, store_id: storeId } as Person['cards'][number]);
  }
  return [...byKey.values()];
}

export function staffView({ data: person, version }: { readonly data: Person; readonly version: number }, storeId: string) {
  const role = roleAt(person, storeId);
  if (role === null) return null;
  const cards = person.cards
    .filter(({ store_id }) => store_id === storeId)
    .map(({ token_id, store_id: _, ...card }) => ({ ends_with: token_id.slice(-shownOfToken), ...card }));
  return { id: person.id, name: person.name, role, cards, version };
}
