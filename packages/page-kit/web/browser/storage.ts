import { createListeners } from './listeners.ts';

/** The used part of a browser's Storage. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A Storage of the browser. Where it is denied or full, or there is none, values last as long as the page. */
export function keptIn(storage: () => Storage = none): Kept & { readonly removeAll: (prefix: string) => void } {
  const memory = new Map<string, string>();
  const trying = <T>(act: () => T): T | null => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  return {
    getItem: (name) => memory.get(name) ?? trying(() => storage().getItem(name)),
    setItem(name, value) {
      memory.set(name, value);
      trying(() => {
        storage().setItem(name, value);
        memory.delete(name);
      });
    },
    removeItem(name) {
      memory.delete(name);
      trying(() => storage().removeItem(name));
    },
    removeAll(prefix) {
      for (const name of [...memory.keys(), ...(trying(() => Object.keys(storage())) ?? [])])
        if (name.startsWith(prefix)) this.removeItem(name);
    },
  };
}

const none = (): never => {
  throw new Error('there is no storage');
};

/** What this browser keeps for all tabs. */
export const kept = /* @__PURE__ */ keptIn(() => localStorage);

/** What a tab keeps, also when its page is loaded again. */
export const keptInTab = /* @__PURE__ */ keptIn(() => sessionStorage);

/** Returns a stored JSON value; undefined when there is none or it is unreadable. The caller checks its shape. */
export function readJson(storage: Pick<Kept, 'getItem'>, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export const writeJson = (storage: Pick<Kept, 'setItem'>, name: string, value: unknown): void =>
  storage.setItem(name, JSON.stringify(value));

/** A list in a storage, of `most` entries, the newest first. Entries that are not of its kind are left out. */
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

const changes = /* @__PURE__ */ createListeners<[name: string]>();

/** Says that this tab has changed what the browser keeps under a name. */
export const tellKept = (name: string): void => changes.tell(name);

/** Calls the listener when what the browser keeps under a name has changed, in any tab. Returns a function that ends this. */
export function whenKeptChanges(name: string, listener: () => void): () => void {
  const end = changes.add((changed) => {
    if (changed === name) listener();
  });
  const otherTab = ({ key }: StorageEvent) => {
    if (key === name || key === null) listener();
  };
  addEventListener('storage', otherTab);
  return () => {
    end();
    removeEventListener('storage', otherTab);
  };
}
