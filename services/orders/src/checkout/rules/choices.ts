import { Problem } from '@corner/contracts';

/** What customers choose with an item, as the directory publishes it. */
export interface Option {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly choices: readonly { readonly id: string; readonly name: string; readonly price_pence: number; readonly available: boolean }[];
}

/** A choice as an order keeps it. */
export interface ChosenPart {
  /** The name of the option. */
  readonly option: string;
  readonly choice_id: string;
  readonly name: string;
  /** What it adds to the price of one. */
  readonly price_pence: number;
}

interface Item {
  readonly id: string;
  readonly name: string;
  readonly options: readonly Option[];
}

/**
 * Returns the chosen choices of an item, in the order of its options. Throws ITEM_NOT_FOUND for one that it does not have or that is not offered,
 * and CHOICES_INVALID when an option has too few or too many.
 */
export function chooseParts({ id, name, options }: Item, chosen: readonly string[]): ChosenPart[] {
  const offered = options.map((option) => ({ ...option, choices: option.choices.filter(({ available }) => available) }));
  const unknown = chosen.find((wanted) => !offered.some(({ choices }) => choices.some((choice) => choice.id === wanted)));
  if (unknown !== undefined) throw new Problem('ITEM_NOT_FOUND', { message: `items: ${id} has no choice ${unknown}.` });
  return offered.flatMap(({ name: option, min, max, choices }) => {
    const own = choices.filter((choice) => chosen.includes(choice.id));
    if (own.length < min || own.length > max) {
      const wanted = min === max ? `${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;
      throw new Problem('CHOICES_INVALID', { message: `items: ${name} takes ${wanted} of ${option}, and choices has ${own.length}.` });
    }
    return own.map(({ id: choice_id, name: chosenName, price_pence }) => ({ option, choice_id, name: chosenName, price_pence }));
  });
}
