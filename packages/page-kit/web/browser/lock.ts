export type Lock = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/**
 * Runs one function of a name at a time, in all tabs, by Web Locks. A page without https has none, such as a development server seen from a
 * phone: then a lock holds in one tab only.
 */
export const withLock: Lock = async (name, run) => {
  // `request` is typed as a promise of a promise.
  if (globalThis.navigator?.locks) return await navigator.locks.request(`corner.${name}`, async () => await run());
  const before = inThisTab.get(name) ?? Promise.resolve();
  const next = before.then(run, run);
  inThisTab.set(name, next);
  return await next;
};

const inThisTab = new Map<string, Promise<unknown>>();
