import { idFor, plainName } from '@corner/contracts/typed';
import type { MenuItem } from '../offer-objects.ts';

export type Option = MenuItem['options'][number];
export type Choice = Option['choices'][number];

const choicesOf = (items: readonly MenuItem[]): readonly Choice[] =>
  items.flatMap(({ options }) => options.flatMap(({ choices }) => choices));

export const newOption = (options: readonly Option[]): Option => ({
  id: idFor(
    'option',
    options.map(({ id }) => id),
  ),
  name: '',
  min: 0,
  max: 1,
  choices: [],
});

/**
 * If the menu has a choice by that name, it is the same thing, with its id and its allergens: it is sold out everywhere at once. Any other
 * gets an id that no item and no choice has.
 */
export function newChoice(items: readonly MenuItem[], name: string): Choice {
  const known = choicesOf(items);
  const same = known.find((choice) => plainName(choice.name) === plainName(name));
  if (same) return { ...same, available: true };
  const id = idFor(
    name,
    [...items, ...known].map((taken) => taken.id),
  );
  return { id, name: name.trim(), price_pence: 0, allergens: null, available: true };
}

export const withChoice = (items: readonly MenuItem[], choiceId: string, change: Partial<Pick<Choice, 'name' | 'allergens'>>): MenuItem[] =>
  items.map((item) => ({
    ...item,
    options: item.options.map((option) => ({
      ...option,
      choices: option.choices.map((choice) => (choice.id === choiceId ? { ...choice, ...change } : choice)),
    })),
  }));

export const itemsToCopyFrom = (items: readonly MenuItem[], { id }: Pick<MenuItem, 'id'>): readonly MenuItem[] =>
  items.filter((item) => item.id !== id && item.options.length > 0);

export function withCopied(options: readonly Option[], from: readonly Option[]): Option[] {
  const added = from.filter(({ name }) => !options.some((option) => plainName(option.name) === plainName(name)));
  const all = [...options];
  for (const option of added) all.push({ ...option, id: newOption(all).id });
  return all;
}

export function takesText({ min, max }: Option): string {
  if (min === max) return `takes ${min}`;
  return min === 0 ? `takes up to ${max}` : `takes ${min} to ${max}`;
}
