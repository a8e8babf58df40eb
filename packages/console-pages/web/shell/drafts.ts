/** What a tab keeps of an edit, so that it is there after a reload: the object as it was read, with its version, and what was made of it. */
export interface Draft<T> {
  readonly version: number;
  readonly object: T;
  readonly draft: T;
}

const prefix = 'draft ';
const nameOf = (person: string, path: string): string => `${prefix}${person} ${path}`;

/** Keeps the draft of a person; null removes it. Where the browser keeps nothing, it is lost with the page. */
export function keepDraft<T>(person: string, path: string, draft: Draft<T> | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(person, path));
    else sessionStorage.setItem(nameOf(person, path), JSON.stringify(draft));
  } catch {
    // The storage is full or switched off.
  }
}

/** Returns the draft that the tab has kept of an object; null for none. */
export function readDraft<T>(person: string, path: string): Draft<T> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(person, path)) ?? 'null') as Partial<Draft<T>> | null;
    return typeof kept?.version === 'number' && kept.object && kept.draft ? (kept as Draft<T>) : null;
  } catch {
    return null;
  }
}

/** Removes every draft: the person has signed out. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}
