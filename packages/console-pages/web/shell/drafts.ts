import { keptInTab, readJson, writeJson } from '@corner/page-kit/browser/storage';

const prefix = 'draft ';
const nameOf = (person: string, name: string): string => `${prefix}${person} ${name}`;

/** Stores the draft in the tab, so that it survives a reload. Where the browser stores nothing, it is lost with the page. */
export const keepDraft = (person: string, name: string, draft: object): void => writeJson(keptInTab, nameOf(person, name), draft);

export const readDraft = <T extends object>(person: string, name: string): T | null =>
  (readJson(keptInTab, nameOf(person, name)) as T | undefined) ?? null;

export const forgetDraft = (person: string, name: string): void => keptInTab.removeItem(nameOf(person, name));

export const forgetDrafts = (): void => keptInTab.removeAll(prefix);
