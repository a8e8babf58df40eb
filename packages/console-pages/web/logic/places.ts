export interface SentencePart {
  readonly text: string;
  readonly href: string | null;
}

export const nameOfPlace = ({ path, title }: { readonly path: string; readonly title: string }): string =>
  path.includes('/settings/') ? `Settings, ${title}` : `the page ${title}`;

export function partsOf(text: string, places: ReadonlyMap<string, string>): readonly SentencePart[] {
  const names = [...places.keys()].toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return [{ text, href: null }];
  return text
    .split(new RegExp(`((?:${names.join('|')})(?!\\p{L}))`, 'u'))
    .filter((part) => part !== '')
    .map((part) => ({ text: part, href: places.get(part) ?? null }));
}
