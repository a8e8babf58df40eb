import { useSyncExternalStore } from 'react';

let current: { readonly text: string; readonly at: number } = { text: '', at: 0 };
const listeners = new Set<() => void>();

/** Shows a sentence for a few seconds and has screen readers say it: the result of what a person just did. */
export function announce(text: string): void {
  current = { text, at: Date.now() };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The last sentence announced. */
export const useAnnounced = () => useSyncExternalStore(subscribe, () => current);
