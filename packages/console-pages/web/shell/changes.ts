import type { Change } from '@corner/console-api';

/** A page's own handling of changes, where reading a whole query again would be too much. */
export interface ChangeListener {
  change(change: Change): void;
  /** Changes may have been missed: read everything again. */
  reset(): void;
}

const listeners = new Set<ChangeListener>();

/** Calls the listener with every change of the store that is open, until the function that it returns is called. */
export function followChanges(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function publishChange(change: Change): void {
  for (const listener of listeners) listener.change(change);
}

export function publishReset(): void {
  for (const listener of listeners) listener.reset();
}
