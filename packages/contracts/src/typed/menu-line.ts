import { currencies } from '../currencies.ts';
import { cellsOf } from './cells.ts';
import { headingOf } from './menu-facts.ts';
import { byHeadings, mayBeDecimal, type PartsOfLine } from './menu-table.ts';
import { withPlainDigits } from './plain.ts';

export interface ReadLine {
  readonly line: number;
  readonly words: string;
  readonly read: ListedParts | string;
  readonly mayBeHeading?: boolean;
}

/** Reads the lines of a list without a table. A heading with items below it becomes their category. */
export function withCategories(lines: readonly { readonly line: number; readonly text: string }[]): ReadLine[] {
  const headings = lines.map((each, index) => (typeof partsOf(each.text) === 'string' ? headingOf(each, lines[index - 1]) : null));
  let category: string | undefined;
  return lines.flatMap(({ line, text }, index): ReadLine[] => {
    const heading = headings[index];
    const hasItems = index + 1 < lines.length && !headings[index + 1];
    if (heading?.certain && hasItems) {
      category = heading.name;
      return [];
    }
    const read = partsOf(text);
    if (typeof read !== 'string') return [{ line, words: text, read: category === undefined ? read : { ...read, category } }];
    return [{ line, words: text, read: heading ? `${read} ${headingHint}` : read, mayBeHeading: Boolean(heading && hasItems) }];
  });
}

const headingHint = 'The name of a part of the menu ends with a colon, above its items.';

/** `byComma`: a comma with no space after it stands before the price. `lead`: the text between name and price. */
export type ListedParts = PartsOfLine & { readonly byComma?: boolean; readonly lead?: string };

const bullet = /^(?:[-–—•*·]|\d{1,3}[.)])\s+/;
const codes = Object.keys(currencies).join('|');
const sign = String.raw`(?:${codes}|\p{Sc}|R\$|kr\.?|zł|Kč|Ft|Fr\.|Rs\.?|円|元|원)`;
const nameAndPrice = new RegExp(
  String.raw`^(.*?)[\s.]*([\s:;,|=…/–—-]|\.{2})([\s.]*)((?:${sign}[ \u00a0]?)?\d[\d.,'\u00a0]*?(?:[.,][-–—]{1,2})?[ \u00a0]?${sign}?)$`,
  'u',
);

function partsOf(line: string): ListedParts | string {
  const text = line.replace(bullet, '');
  const plain = withPlainDigits(text);
  for (const separator of ['\t', ';'] as const) {
    if (!plain.includes(separator)) continue;
    const cells = cellsOf(text, separator);
    if (typeof cells === 'string') return byHeadings({ separator, columns: ['name', 'price'] }, text);
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
    if (filled.length > 2)
      return `There are ${filled.length} cells, and no heading such as name${separator === ';' ? ';' : ','}price names them.`;
    if (filled.length === 2 && /\d/.test(withPlainDigits(filled[1] as string)))
      return { name: filled[0] as string, price: filled[1] as string, certain: true };
  }
  const quoted = text.includes('"') ? cellsOf(text, ',') : 'none';
  if (typeof quoted === 'object' && quoted.length === 2 && /\d/.test(quoted[1] ?? ''))
    return { name: quoted[0] as string, price: quoted[1] as string, certain: true, byComma: /,\S*$/.test(text) };
  return splitPasted(text, plain);
}

function splitPasted(text: string, plain: string): ListedParts | string {
  const [, named = '', separator = '', spaces = '', price = ''] = nameAndPrice.exec(plain) ?? [];
  if (price === '') return 'There is no price at its end, such as 3.20.';
  const lead = plain.slice(0, plain.length - price.length);
  if (spaces === '' && /[\s,;][-–—]$/.test(lead)) return 'A price cannot be below zero.';
  const name = text.slice(0, named.length).replace(/[\s:;,|=.…–—-]+$/, '');
  if (/^[\d\s.,]*$/.test(withPlainDigits(name))) return 'The name is missing.';
  const byComma = separator === ',' && spaces === '';
  if (byComma && price.includes(',')) return 'There are more cells than a name and a price. Put a price with a comma in quotation marks.';
  // A space in a price differs from the space before it only if it does not break.
  if (/\s\d{1,3}$/.test(name) && separator === ' ' && /^\d{3}(?!\d)/.test(price))
    return 'It is not certain where the price begins. Write it without a space in it, such as 1250.';
  const certain = !price.includes(',') || !mayBeDecimal(plain);
  return { name: name.replace(/^"(.*)"$/, '$1'), lead: text.slice(name.length, lead.length), price, certain, byComma };
}
