import { idFor, type MenuEntry } from '@corner/contracts/typed';
import { typedAmount } from '../../../../logic/amounts.ts';
import { plural } from '../../../../logic/format.ts';
import type { MenuItem } from '../offer-objects.ts';
import { allergensText } from './food-facts.ts';

export function usualVat(items: readonly Pick<MenuItem, 'vat_rate_bps'>[]): number | null {
  const counts = [...Map.groupBy(items, ({ vat_rate_bps }) => vat_rate_bps)].toSorted(([, a], [, b]) => b.length - a.length);
  return counts[0]?.[0] ?? null;
}

export const newItem = (items: readonly MenuItem[], name: string, price_pence: number): MenuItem => ({
  id: idFor(
    name,
    items.map(({ id }) => id),
  ),
  name,
  price_pence,
  prep_minutes: 5,
  stock: null,
  available: true,
  vat_rate_bps: usualVat(items),
  category: null,
  description: null,
  image_url: null,
  allergens: null,
  diet: [],
  options: [],
});

export function withPasted(items: readonly MenuItem[], entries: readonly MenuEntry[]): MenuItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const entry of entries) byId.set(entry.id, { ...(byId.get(entry.id) ?? newItem(items, entry.name, entry.price_pence)), ...entry });
  return [...byId.values()];
}

export function countPasted(
  items: readonly MenuItem[],
  entries: readonly MenuEntry[],
): { readonly added: number; readonly changed: number } {
  const byId = new Map(items.map((item) => [item.id, item]));
  const isChange = (entry: MenuEntry) => {
    const item = byId.get(entry.id);
    return (
      item !== undefined &&
      Object.entries(entry).some(([field, value]) => JSON.stringify(item[field as keyof MenuItem]) !== JSON.stringify(value))
    );
  };
  return { added: entries.filter(({ id }) => !byId.has(id)).length, changed: entries.filter(isChange).length };
}

export function tableOf(items: readonly MenuItem[], currency: string): string {
  const rows = items.map(({ name, price_pence, vat_rate_bps, stock, prep_minutes, category, allergens }) => [
    cellOf(name),
    typedAmount(price_pence, currency),
    vat_rate_bps === null ? '' : String(vat_rate_bps / 100),
    stock === null ? '' : String(stock),
    String(prep_minutes),
    cellOf(category ?? ''),
    // Empty: not stated.
    allergens === null ? '' : cellOf(allergens.join(', ') || 'none'),
  ]);
  return [['name', 'price', 'vat', 'stock', 'minutes', 'category', 'allergens'], ...rows].map((cells) => cells.join('\t')).join('\n');
}

const cellOf = (text: string): string => (/["\t;,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function itemFacts({ vat_rate_bps, stock, available, prep_minutes, allergens, options, category }: MenuItem): string {
  return [
    ...(available ? [] : ['off the menu']),
    ...(category === null ? [] : [category]),
    vat_rate_bps === null ? 'no VAT' : `VAT ${vat_rate_bps / 100} %`,
    ...(stock === null ? [] : [`${stock} in stock`]),
    `${prep_minutes} min`,
    allergensText(allergens),
    ...(options.length > 0 ? [plural(options.length, 'option')] : []),
  ].join(' · ');
}
