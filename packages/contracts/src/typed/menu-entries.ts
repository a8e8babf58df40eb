import type { PastedColumns, PastedItem } from './menu-table.ts';

/** Drops accents of Latin letters only: marks of other scripts are a part of their letters. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** Items whose names differ only in case, accents or signs are one. */
export const plainName = (name: string): string => withoutAccents(name).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '') || name.trim();

const longestId = 60;

/**
 * Makes an id of a name's words, `flat-white`, with a number if it is taken. The same menu always gets the same ids, so pasting it twice
 * makes it once.
 */
export function idFor(name: string, taken: readonly string[]): string {
  const words = withoutAccents(name).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const base = words.replace(/^-/, '').slice(0, longestId).replace(/-$/, '') || 'item';
  const isTaken = (id: string) => taken.some((other) => other.toLowerCase() === id);
  let id = base;
  for (let number = 2; isTaken(id); number++) id = `${base}-${number}`;
  return id;
}

export type MenuEntry = PastedColumns & { readonly id: string; readonly name: string; readonly price_pence: number };

/** Keeps the id of an item that the menu (`known`) has under that name; other items get a new one. */
export function menuEntriesOf(
  pasted: readonly PastedItem[],
  known: readonly { readonly id: string; readonly name: string }[] = [],
): MenuEntry[] {
  const taken = known.map(({ id }) => id);
  const idOf = new Map(known.map(({ id, name }) => [plainName(name), id]));
  return pasted.map(({ line: _, written: __, ...item }) => {
    const id = idOf.get(plainName(item.name)) ?? idFor(item.name, taken);
    taken.push(id);
    return { id, ...item };
  });
}
