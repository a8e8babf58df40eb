import type { z } from 'zod';
import type { Allergen, Diet } from '../vocabulary.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly allergens: readonly Allergen[] | null;
}

interface Item {
  readonly id: string;
  readonly allergens: readonly Allergen[] | null;
  readonly diet: readonly Diet[];
  readonly options: readonly {
    readonly id: string;
    readonly min: number;
    readonly max: number;
    readonly choices: readonly Choice[];
  }[];
}

const notVegetarian = ['crustaceans', 'fish', 'molluscs'] as const satisfies readonly Allergen[];
/** Allergens that an item fit for a diet cannot hold. Milk without lactose is still milk. */
const excluded: Readonly<Partial<Record<Diet, readonly Allergen[]>>> = {
  vegetarian: notVegetarian,
  vegan: [...notVegetarian, 'eggs', 'milk'],
  gluten_free: ['gluten'],
};

/** Adds the contradictions in an item: a diet and an allergen, the numbers of an option, two options or choices with one id. */
export function checkItem({ allergens, diet, options }: Item, context: z.RefinementCtx): void {
  const add = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const fit of diet) {
    const found = allergens?.find((allergen) => excluded[fit]?.includes(allergen));
    if (found !== undefined) add(['diet'], `an item with ${found} is not ${fit.replace('_', ' ')}`);
  }
  const choices = options.flatMap((option) => option.choices.map(({ id }) => id));
  options.forEach(({ id, min, max, choices: own }, n) => {
    if (min > max) add(['options', n, 'min'], 'must not be more than max');
    if (max > own.length) add(['options', n, 'max'], `must not be more than the ${own.length} choices`);
    if (options.findIndex((other) => other.id === id) < n) add(['options', n, 'id'], 'is the id of another option');
    for (const choice of own)
      if (choices.indexOf(choice.id) !== choices.lastIndexOf(choice.id)) add(['options', n, 'choices'], `${choice.id} is there twice`);
  });
}

/**
 * Adds each choice whose id stands for two things: an item has the id, or a choice elsewhere has it with another name or other allergens.
 */
export function checkChoices(items: readonly Item[], context: z.RefinementCtx): void {
  const known = new Map<string, Choice>();
  const ofItems = new Set(items.map(({ id }) => id));
  const placed = items.flatMap(({ options }, i) =>
    options.flatMap(({ choices }, o) => choices.map((choice, c) => ({ choice, path: [i, 'options', o, 'choices', c] }))),
  );
  for (const { choice, path } of placed) {
    const other = known.get(choice.id) ?? choice;
    known.set(choice.id, other);
    const add = (field: string, message: string) => context.addIssue({ code: 'custom', path: [...path, field], message });
    if (ofItems.has(choice.id)) add('id', 'is the id of an item; give the choice one of its own');
    if (other.name !== choice.name) add('name', `is ${other.name} in another option; one id is one thing`);
    if (setOf(other.allergens) !== setOf(choice.allergens)) add('allergens', 'are others in another option; one id is one thing');
  }
}

const setOf = (allergens: readonly Allergen[] | null): string | null => allergens && [...new Set(allergens)].sort().join();
