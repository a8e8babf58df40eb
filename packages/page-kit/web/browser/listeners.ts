/** Those who are told of something. `add` returns a function that ends it. */
export function createListeners<A extends readonly unknown[] = []>() {
  const listeners = new Set<(...told: A) => void>();
  return {
    add(listener: (...told: A) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(...told: A): void {
      for (const listener of listeners) listener(...told);
    },
  };
}
