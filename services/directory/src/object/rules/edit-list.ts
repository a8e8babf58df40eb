import { Problem } from '@corner/contracts';

export interface ListEdit<E> {
  readonly upsert?: readonly Partial<E>[] | undefined;
  readonly remove?: readonly string[] | undefined;
  readonly order?: readonly string[] | undefined;
}

/**
 * Returns a list after an edit. An entry that is named is merged field by field, a new one stands at the end; keys are compared without regard
 * to case. A key to remove that is not there changes nothing.
 */
export function editList<E extends object>(
  entries: readonly E[],
  key: keyof E & string,
  { upsert = [], remove = [], order = [] }: ListEdit<E>,
): E[] {
  const keyOf = (entry: Partial<E>) => String(entry[key]).toLowerCase();
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  for (const entry of upsert) byKey.set(keyOf(entry), { ...byKey.get(keyOf(entry)), ...entry } as E);
  for (const gone of remove) byKey.delete(gone.toLowerCase());
  const first = order.map((wanted) => wanted.toLowerCase());
  const rankOf = (wanted: string) => (first.includes(wanted) ? first.indexOf(wanted) : first.length);
  return [...byKey].toSorted(([a], [b]) => rankOf(a) - rankOf(b)).map(([, entry]) => entry);
}

export const merged = <O extends object>(object: O, changes: object): O => ({ ...object, ...changes });

export function checkOrder(order: readonly string[] | undefined, keys: readonly string[]): void {
  const unknown = order?.find((wanted) => !keys.some((key) => key.toLowerCase() === wanted.toLowerCase()));
  if (unknown !== undefined) throw new Problem('VALIDATION_FAILED', { message: `order: there is no ${unknown}` });
}
