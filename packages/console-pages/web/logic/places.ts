/** A part of a sentence: plain text, whose `href` is null, or the name of a page with its address. */
export interface SentencePart {
  readonly text: string;
  readonly href: string | null;
}

/** The name of a page in a sentence: `Settings, Store` is a section of the settings, any other is `the page Queue`. */
export const nameOfPlace = ({ path, title }: { readonly path: string; readonly title: string }): string =>
  path.includes('/settings/') ? `Settings, ${title}` : `the page ${title}`;

/** Splits a sentence at the pages that it names. `places` has the address of each name; names contain no regular-expression syntax. */
export function partsOf(text: string, places: ReadonlyMap<string, string>): readonly SentencePart[] {
  const names = [...places.keys()].toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return [{ text, href: null }];
  return text
    .split(new RegExp(`((?:${names.join('|')})(?!\\p{L}))`, 'u'))
    .filter((part) => part !== '')
    .map((part) => ({ text: part, href: places.get(part) ?? null }));
}
