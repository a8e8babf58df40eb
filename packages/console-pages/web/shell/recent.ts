import { useSyncExternalStore } from 'react';
import { withRecent } from '../logic/choices.ts';

const name = 'recent-ids';
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const stored = () => localStorage.getItem(name) ?? '[]';

const parse = (text: string): readonly string[] => {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
};

/** The ids whose stories were opened last. They are kept in this browser only, until the person signs out. */
export const useRecent = (): readonly string[] => parse(useSyncExternalStore(subscribe, stored));

/** Puts an id first. */
export function keepRecent(id: string): void {
  localStorage.setItem(name, JSON.stringify(withRecent(parse(stored()), id)));
  changed();
}

/** Forgets all ids. */
export function forgetRecent(): void {
  localStorage.removeItem(name);
  changed();
}
