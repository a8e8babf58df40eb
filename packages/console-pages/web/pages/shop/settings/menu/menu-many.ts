import { allergensOf, type Cell, categoryOf, parseRate, plainName } from '@corner/contracts/typed';
import type { MenuItem } from '../offer-objects.ts';
import { withCopied } from './menu-options.ts';

export const facts = ['category', 'vat_rate_bps', 'allergens'] as const;
export type Fact = (typeof facts)[number];

export function readFact(fact: Fact, typed: string): Cell<MenuItem[Fact]> {
  if (fact === 'category') return categoryOf(typed);
  if (fact === 'allergens') {
    const read = allergensOf(typed);
    return 'fault' in read ? read : { value: read.value ?? null };
  }
  const text = typed.replace('%', '').trim();
  const rate = parseRate(text);
  return text !== '' && rate === null ? { fault: `“${typed}” is not a rate of VAT such as 20.` } : { value: rate };
}

/** Filters by a text in the name, and by a section of the menu; null for all sections. */
export interface Filter {
  readonly text: string;
  readonly part: string | null;
}

export function shownBy({ text, part }: Filter): ((item: MenuItem) => boolean) | undefined {
  const searched = plainName(text);
  if (searched === '' && part === null) return undefined;
  return ({ name, category }) => plainName(name).includes(searched) && (part === null || (category ?? '') === part);
}

export const partsOf = (items: readonly MenuItem[]): readonly string[] => [...new Set(items.map(({ category }) => category ?? ''))];

export const withFact = (items: readonly MenuItem[], shows: (item: MenuItem) => boolean, fact: Fact, value: MenuItem[Fact]): MenuItem[] =>
  items.map((item) => (shows(item) ? { ...item, [fact]: value } : item));

export const sourcesOf = (items: readonly MenuItem[], shows: (item: MenuItem) => boolean): MenuItem[] =>
  items.filter(({ options }) => options.length > 0).sort((one, other) => Number(shows(other)) - Number(shows(one)));

export const withOptionsOf = (items: readonly MenuItem[], shows: (item: MenuItem) => boolean, source: MenuItem): MenuItem[] =>
  items.map((item) => (item.id !== source.id && shows(item) ? { ...item, options: withCopied(item.options, source.options) } : item));
