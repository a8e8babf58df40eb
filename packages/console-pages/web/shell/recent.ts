import { kept, notifyKept, readJson, whenKeptChanges, writeJson } from '@corner/page-kit/browser/storage';
import { useSyncExternalStore } from 'react';
import { withRecent } from '../logic/choices.ts';

const name = 'recent-ids';
const subscribe = (listener: () => void) => whenKeptChanges(name, listener);

function read(): readonly string[] {
  const value = readJson(kept, name);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}

export function useRecent(): readonly string[] {
  useSyncExternalStore(subscribe, () => kept.getItem(name));
  return read();
}

export function keepRecent(id: string): void {
  writeJson(kept, name, withRecent(read(), id));
  notifyKept(name);
}

export function forgetRecent(): void {
  kept.removeItem(name);
  notifyKept(name);
}
