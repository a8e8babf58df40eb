import type { DeadLetters } from '@corner/console-api';

export type Letter = DeadLetters['dead_letters'][number];

export interface Group {
  readonly key: string;
  readonly service: Letter['service'];
  readonly type: string;
  readonly cause: string;
  readonly letters: readonly Letter[];
}

/** Removes ids, numbers and quoted values, so that a thousand errors of one cause are one group. */
export const causeOf = (error: string): string =>
  error
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '…')
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, '…')
    .replace(/\b\d[\d.,:_-]*\b/g, '…')
    .trim();

export function groupsOf(letters: readonly Letter[]): Group[] {
  const groups = new Map<string, { readonly group: Omit<Group, 'letters'>; readonly letters: Letter[] }>();
  for (const letter of letters) {
    const cause = causeOf(letter.error);
    const key = JSON.stringify([letter.service, letter.type, cause]);
    const found = groups.get(key) ?? { group: { key, service: letter.service, type: letter.type, cause }, letters: [] };
    found.letters.push(letter);
    groups.set(key, found);
  }
  return [...groups.values()]
    .map(({ group, letters: all }) => ({
      ...group,
      letters: all.toSorted((one, other) => one.dead_lettered_at.localeCompare(other.dead_lettered_at)),
    }))
    .toSorted((one, other) => other.letters.length - one.letters.length || one.key.localeCompare(other.key));
}
