/** Those who are notified of something. `add` returns a function that ends it. */
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
