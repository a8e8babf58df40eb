/** A set of listeners. `add` returns a function that removes the listener. */
export function createListeners<A extends readonly unknown[] = []>() {
  const listeners = new Set<(...news: A) => void>();
  return {
    add(listener: (...news: A) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(...news: A): void {
      for (const listener of listeners) listener(...news);
    },
  };
}
