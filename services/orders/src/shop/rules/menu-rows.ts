import type { DataOf, directoryMenu } from '@corner/contracts';

type Item = DataOf<typeof directoryMenu>['items'][number];

export interface MenuRow extends Item {
  readonly kind: 'item' | 'choice';
  readonly position: number;
}

/** Returns the rows of a menu: its items in their order, then each choice once. A choice is offered while any option offers it. */
export function menuRows(items: readonly Item[]): MenuRow[] {
  const choices = Map.groupBy(
    items.flatMap(({ options }) => options.flatMap((option) => option.choices)),
    ({ id }) => id,
  );
  return [
    ...items.map((item, position) => ({ ...item, kind: 'item' as const, position })),
    ...[...choices.values()].flatMap(([choice, ...same], n) => {
      if (!choice) return [];
      const available = choice.available || same.some((other) => other.available);
      return [{ ...nothingOfAnItem, ...choice, available, kind: 'choice' as const, position: items.length + n }];
    }),
  ];
}

const nothingOfAnItem = {
  prep_minutes: 0,
  stock: null,
  vat_rate_bps: null,
  category: null,
  description: null,
  image_url: null,
  diet: [],
  options: [],
};
