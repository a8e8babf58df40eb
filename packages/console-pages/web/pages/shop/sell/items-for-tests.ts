import type { MenuItem } from './basket.ts';

const choice = (id: string, name: string, price_pence = 0) => ({ id, name, price_pence, allergens: null, sold_out: false });
const item = (id: string, name: string, price_pence: number, more: Partial<MenuItem> = {}): MenuItem => ({
  id,
  name,
  price_pence,
  prep_minutes: 3,
  sold_out: false,
  category: null,
  description: null,
  image_url: null,
  allergens: null,
  diet: [],
  options: [],
  ...more,
});

export const flatWhite = item('flat-white', 'Flat white', 320, {
  category: 'Coffee',
  options: [
    { id: 'milk', name: 'Milk', min: 1, max: 1, choices: [choice('cow', 'Cow'), choice('oat', 'Oat', 40)] },
    {
      id: 'extras',
      name: 'Extras',
      min: 0,
      max: 2,
      choices: [choice('shot', 'Shot', 80), choice('syrup', 'Syrup', 50), choice('cream', 'Cream', 60)],
    },
  ],
});
export const croissant = item('croissant', 'Croissant', 290, { category: 'Food', vat_by_place: true });
export const water = item('water', 'Tap water', 0);
