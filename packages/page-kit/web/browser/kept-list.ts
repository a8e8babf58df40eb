import { type Kept, readJson, writeJson } from './storage.ts';

/** A list in a storage, newest first, of at most `most` entries. Entries that are not valid are left out. */
export function keptList<T>(
  storage: Pick<Kept, 'getItem' | 'setItem'>,
  name: string,
  most: number,
  isOne: (one: Partial<T> | null) => boolean,
) {
  const read = (): readonly T[] => {
    const value = readJson(storage, name);
    return Array.isArray(value) ? value.filter(isOne) : [];
  };
  const write = (list: readonly T[]): void => writeJson(storage, name, list.slice(0, most));
  return {
    read,
    write,
    add: (one: T): void => write([one, ...read()]),
    change: (isMeant: (one: T) => boolean, change: Partial<T>): void =>
      write(read().map((one) => (isMeant(one) ? { ...one, ...change } : one))),
  };
}
