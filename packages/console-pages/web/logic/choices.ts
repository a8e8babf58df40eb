export interface Choice {
  readonly title: string;
  readonly href: string;
  readonly kind: 'page' | 'recent' | 'id' | 'order' | 'people';
}

export const mayBeId = (text: string): boolean => /^\S{3,255}$/.test(text) && (/\d/.test(text) || text.length >= 12);

export function choicesFor(typed: string, pages: readonly Choice[], recent: readonly string[], storyOf: (id: string) => string): Choice[] {
  const text = typed.trim();
  const low = text.toLowerCase();
  const found = pages.filter(({ title }) => title.toLowerCase().includes(low));
  const before = recent
    .filter((id) => id !== text && id.toLowerCase().includes(low))
    .slice(0, 5)
    .map((id): Choice => ({ title: id, href: storyOf(id), kind: 'recent' }));
  const asId: Choice[] = mayBeId(text) ? [{ title: text, href: storyOf(text), kind: 'id' }] : [];
  return [...asId, ...found, ...before];
}

const kept = 12;

export const withRecent = (recent: readonly string[], id: string): string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, kept);
