import { createListeners } from './listeners.ts';

const changes = createListeners<[name: string]>();

/** Says that this tab has changed what the browser keeps under a name. */
export const tellKept: (name: string) => void = changes.tell;

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
