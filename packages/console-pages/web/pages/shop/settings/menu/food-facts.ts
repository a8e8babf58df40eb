import type { MenuItem } from '../offer-objects.ts';

type Allergen = NonNullable<MenuItem['allergens']>[number];
type Diet = MenuItem['diet'][number];

export const allergenNames: Readonly<Record<Allergen, string>> = {
  celery: 'Celery',
  crustaceans: 'Crustaceans',
  eggs: 'Eggs',
  fish: 'Fish',
  gluten: 'Gluten',
  lupin: 'Lupin',
  milk: 'Milk',
  molluscs: 'Molluscs',
  mustard: 'Mustard',
  nuts: 'Nuts',
  peanuts: 'Peanuts',
  sesame: 'Sesame',
  soya: 'Soya',
  sulphites: 'Sulphites',
};

export const dietNames: Readonly<Record<Diet, string>> = {
  vegetarian: 'Vegetarian',
  vegan: 'Vegan',
  gluten_free: 'Gluten free',
  lactose_free: 'Lactose free',
  halal: 'Halal',
  kosher: 'Kosher',
};

/** Null, for not stated, differs from none. */
export function allergensText(allergens: MenuItem['allergens']): string {
  if (allergens === null) return 'allergens not said';
  return allergens.length === 0 ? 'no allergens' : allergens.map((allergen) => allergenNames[allergen].toLowerCase()).join(', ');
}
