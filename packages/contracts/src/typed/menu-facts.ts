import type { Allergen } from '../vocabulary.ts';

const longestCategory = 60;
const longestDescription = 500;

const otherWords: Readonly<Record<Allergen, readonly string[]>> = {
  celery: [],
  crustaceans: ['crustacean', 'shellfish'],
  eggs: ['egg'],
  fish: [],
  gluten: ['wheat', 'cereals', 'cereals containing gluten'],
  lupin: ['lupine'],
  milk: ['dairy', 'lactose'],
  molluscs: ['mollusc', 'mollusks'],
  mustard: [],
  nuts: ['nut', 'tree nuts'],
  peanuts: ['peanut'],
  sesame: ['sesame seeds'],
  soya: ['soy', 'soybeans'],
  sulphites: ['sulfites', 'sulphur dioxide'],
};
const names = Object.keys(otherWords) as Allergen[];
const byWord = new Map(names.flatMap((name) => [name, ...otherWords[name]].map((word) => [word, name] as const)));

/** The reading of a cell: a value, null for none, undefined when the cell leaves it open; `fault` is a sentence. */
export type Cell<T> = { readonly value: T | null | undefined } | { readonly fault: string };

/** Reads a cell such as `milk, gluten`. `none` means no allergens; an empty cell is undefined. */
export function allergensOf(typed: string): Cell<Allergen[]> {
  const text = typed.normalize('NFKC').trim().toLowerCase();
  if (text === '') return { value: undefined };
  if (/^(?:none|no|no allergens|-|–)$/.test(text)) return { value: [] };
  const words = text.split(/[,;/+&]|\band\b/).flatMap((word) => word.trim() || []);
  const unknown = words.find((word) => !byWord.has(word));
  if (unknown !== undefined) return { fault: `“${unknown}” is none of the fourteen allergens: ${names.join(', ')}.` };
  return { value: names.filter((name) => words.some((word) => byWord.get(word) === name)) };
}

export const categoryOf = (typed: string): Cell<string> => textOf(typed, longestCategory, 'The category');

export const descriptionOf = (typed: string): Cell<string> => textOf(typed, longestDescription, 'The description');

function textOf(typed: string, longest: number, what: string): Cell<string> {
  const text = typed.normalize('NFC').trim();
  return text.length > longest ? { fault: `${what} is longer than ${longest} characters.` } : { value: text || null };
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/**
 * Returns the category that a line of a plain list names; null when it is no heading. It is certain on the first line, below an empty one,
 * in capitals, between signs or before a colon: any other line without a price may be an item whose price was forgotten.
 */
export function headingOf({ line, text }: Line, before: Line | undefined): { readonly name: string; readonly certain: boolean } | null {
  const [, left = '', name = '', right = ''] = /^((?:#+|[*=_–—-]+)?)\s*(.*?)\s*([:*=_–—,;-]*)$/u.exec(text) ?? [];
  if (name.length > longestCategory || !/\p{L}/u.test(name) || /[\p{Nd}\p{Sc}\t;]/u.test(text.replace(/[;\t]+$/, ''))) return null;
  const isMarked = left.startsWith('#') || right.startsWith(':') || (left !== '' && right !== '' && !/[,;]/.test(right));
  if (left !== '' && !isMarked) return null;
  const isInCapitals = name.length > 2 && name === name.toUpperCase() && name !== name.toLowerCase();
  return { name, certain: isMarked || isInCapitals || before === undefined || line > before.line + 1 };
}
