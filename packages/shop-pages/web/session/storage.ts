/** The used part of a browser's Storage. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const memory = new Map<string, string>();

/** localStorage. Where a browser denies it, or it is full, values last as long as the page. */
export const kept: Kept = {
  getItem(name) {
    try {
      return memory.get(name) ?? localStorage.getItem(name);
    } catch {
      return memory.get(name) ?? null;
    }
  },
  setItem(name, value) {
    try {
      localStorage.setItem(name, value);
      memory.delete(name);
    } catch {
      memory.set(name, value);
    }
  },
  removeItem(name) {
    memory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // It was never there.
    }
  },
};

/** Returns a stored JSON value; undefined when there is none or it is unreadable. The caller checks its shape. */
export function readJson(storage: Kept, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export const writeJson = (storage: Kept, name: string, value: unknown): void => storage.setItem(name, JSON.stringify(value));

/** Runs one function of a name at a time, in all tabs of this browser. */
export type Lock = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** Web Locks. A page without https has none, such as a development server seen from a phone: then a lock holds in one tab. */
export const withLock: Lock = async (name, run) => {
  // `request` is typed as a promise of a promise.
  if (globalThis.navigator?.locks) return await navigator.locks.request(`corner.${name}`, async () => await run());
  const before = inThisTab.get(name) ?? Promise.resolve();
  const next = before.then(run, run);
  inThisTab.set(name, next);
  return await next;
};

const inThisTab = new Map<string, Promise<unknown>>();

/** Forgets everything that these pages keep in this browser. */
export function forgetAll(): void {
  memory.clear();
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith('corner.')) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}
