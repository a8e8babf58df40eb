import type { StoreMenuItem } from '@corner/contracts';
import { type ItemSwitches, isSoldOut } from './switches.ts';

type Vat = readonly unknown[] | null | undefined;

type ItemView = (typeof StoreMenuItem)['_zod']['input'];

interface Offered extends Omit<ItemView, 'options' | 'sold_out' | 'vat_by_place'>, ItemSwitches {
  readonly kind: 'item' | 'choice';
  readonly vat: Vat;
  readonly options: readonly StoredOption[];
}

type OptionView = ItemView['options'][number];
type StoredOption = Omit<OptionView, 'choices'> & {
  readonly choices: readonly (Omit<OptionView['choices'][number], 'sold_out'> & { readonly available: boolean; readonly vat?: Vat })[];
};

/**
 * Returns a menu as apps show it, from the offered items and choices. An item is sold out when an option has fewer choices left than it
 * requires.
 */
export function menuView(offered: readonly Offered[], now: Date): ItemView[] {
  const soldOut = new Set(offered.filter(({ kind, ...row }) => kind === 'choice' && isSoldOut(row, now)).map(({ id }) => id));
  return offered
    .filter(({ kind }) => kind === 'item')
    .map((row) => {
      const { kind: _kind, vat, sold_out: _mark, sold_out_until: _until, stock: _stock, taken: _taken, ...item } = row;
      const options = item.options.map(({ choices, ...option }) => ({
        ...option,
        choices: choices.flatMap(({ available, vat: _vat, ...choice }) =>
          available ? [{ ...choice, sold_out: soldOut.has(choice.id) }] : [],
        ),
      }));
      const lacks = options.some(({ min, choices }) => choices.filter(({ sold_out }) => !sold_out).length < min);
      const isByPlace = [vat, ...item.options.flatMap(({ choices }) => choices.map((choice) => choice.vat))].some((rates) => rates?.length);
      return { ...item, options, sold_out: lacks || isSoldOut(row, now), ...(isByPlace ? { vat_by_place: true } : {}) };
    });
}
