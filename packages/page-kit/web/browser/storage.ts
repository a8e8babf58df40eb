export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A Storage of the browser. Where it is denied or full, values last as long as the page; `isStored` is then false. */
export function keptIn(storage: () => Storage): Kept & {
  readonly removeAll: (prefix: string) => void;
  readonly isStored: (name: string) => boolean;
} {
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
    isStored: (name) => !memory.has(name),
    removeAll(prefix) {
      for (const name of [...memory.keys(), ...(trying(() => Object.keys(storage())) ?? [])])
        if (name.startsWith(prefix)) this.removeItem(name);
    },
  };
}

/** The browser's storage, shared by all tabs. */
export const kept = /* @__PURE__ */ keptIn(() => localStorage);

/** The tab's storage, which survives a reload. */
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

const listeners = new Set<(name: string) => void>();

export function notifyKept(name: string): void {
  for (const listener of listeners) listener(name);
}

/**
 * Calls the listener when the value of a name has changed: in another tab, or in this one by `notifyKept`. Returns a function that ends
 * this.
 */
export function whenKeptChanges(name: string, listener: () => void): () => void {
  const changed = (key: string | null) => {
    if (key === name || key === null) listener();
  };
  const otherTab = ({ key }: StorageEvent) => changed(key);
  listeners.add(changed);
  addEventListener('storage', otherTab);
  return () => {
    listeners.delete(changed);
    removeEventListener('storage', otherTab);
  };
}
