import { keptInTab, readJson, writeJson } from '@corner/page-kit/browser/storage';

const prefix = 'draft ';
const nameOf = (person: string, name: string): string => `${prefix}${person} ${name}`;

/** Keeps in the tab what a person has typed and not sent, so that it is there after a reload. Where the browser keeps nothing, it is lost with the page. */
export const keepDraft = (person: string, name: string, draft: object): void => writeJson(keptInTab, nameOf(person, name), draft);

/** Returns what the tab has kept; null for nothing. */
export const readDraft = <T extends object>(person: string, name: string): T | null =>
  (readJson(keptInTab, nameOf(person, name)) as T | undefined) ?? null;

export const forgetDraft = (person: string, name: string): void => keptInTab.removeItem(nameOf(person, name));

/** Removes every draft: the person has signed out. */
export const forgetDrafts = (): void => keptInTab.removeAll(prefix);
