const prefix = 'draft ';
const nameOf = (person: string, name: string): string => `${prefix}${person} ${name}`;

/** Keeps in the tab what a person has typed and not sent, so that it is there after a reload. Where the browser keeps nothing, it is lost with the page. */
export function keepDraft(person: string, name: string, draft: object): void {
  try {
    sessionStorage.setItem(nameOf(person, name), JSON.stringify(draft));
  } catch {
    // The storage is full or switched off.
  }
}

/** Returns what the tab has kept; null for nothing. */
export function readDraft<T extends object>(person: string, name: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(person, name)) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

export const forgetDraft = (person: string, name: string): void => sessionStorage.removeItem(nameOf(person, name));

/** Removes every draft: the person has signed out. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}
