import { allergensOf, type Cell, categoryOf, parseRate, plainName } from '@corner/contracts/typed';
import type { MenuItem } from '../offer-objects.ts';

/** What can be set of many items at once. */
export const facts = ['category', 'vat_rate_bps', 'allergens'] as const;
export type Fact = (typeof facts)[number];

/** Reads what was typed for a fact; `fault` is a sentence. */
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

/** Which items are shown: those whose name has a text, of a part of the menu when one is chosen. */
export interface Filter {
  readonly text: string;
  /** Null for all parts. */
  readonly part: string | null;
}

/** Returns whether an item is shown; undefined when all are. */
export function shownBy({ text, part }: Filter): ((item: MenuItem) => boolean) | undefined {
  const searched = plainName(text);
  if (searched === '' && part === null) return undefined;
  return ({ name, category }) => plainName(name).includes(searched) && (part === null || (category ?? '') === part);
}

/** The parts of a menu in its order; the items without one are of the part ''. */
export const partsOf = (items: readonly MenuItem[]): readonly string[] => [...new Set(items.map(({ category }) => category ?? ''))];

/** Returns the items with a fact set for those that are shown. */
export const withFact = (items: readonly MenuItem[], shows: (item: MenuItem) => boolean, fact: Fact, value: MenuItem[Fact]): MenuItem[] =>
  items.map((item) => (shows(item) ? { ...item, [fact]: value } : item));
