import { rulesOfCurrency } from '../currencies.ts';
import { withPlainDigits } from './plain.ts';
import { signsOf } from './prices.ts';

const measure = /^\s?(?:ml|cl|dl|l|g|kg|oz|lb|cm|mm|in|inch|["”″%°]|pcs?|pieces?|er|x)(?!\p{L})/iu;
const size =
  /(?:^|[\s(/|,])(?:xs|s|m|l|xl|xxl|small|medium|large|single|double|regular|half|full|glass|bottle|pint|klein|gross|groß|petit|grand|p|g)[).:]?\s*$/iu;

/**
 * Finds a second price in a name, as in `Espresso 2.40 /` and `Gin (single) 4.50 (double)`: a number with a currency sign or with all
 * decimals of the currency, one that a slash joins to the price, one after the name of a size, or one written as the price is.
 */
export function secondPriceIn(name: string, price: string, currency: string): boolean {
  const { decimals, step } = rulesOfCurrency(currency);
  const places = step === 100 ? 0 : decimals;
  const plain = withPlainDigits(name);
  const signs = [...signsOf(currency)];
  for (const { 0: number, index } of plain.matchAll(/\d[\d.,']*/g)) {
    const [before, after] = [plain.slice(0, index), plain.slice(index + number.length)];
    if (measure.test(after)) continue;
    if (/\p{Sc}\s?$/u.test(before) || /^\s?\p{Sc}/u.test(after) || signs.some((sign) => after.trimStart().toLowerCase().startsWith(sign)))
      return true;
    const isAlone = /(?:^|[\s(/|,:–—-])$/.test(before) && /^(?:$|[\s)/|,;–—-])/.test(after);
    if (!isAlone) continue;
    const digits = number.replace(/[.,']+$/, '');
    const fraction = /[.,](\d+)$/.exec(digits)?.[1] ?? '';
    if (places > 0 && fraction.length === places) return true;
    if (places === 0 && /^\d{3,}$/.test(digits.replace(/[.,']/g, ''))) return true;
    if (/^\s*(?:[|]|\p{Pd})\s*$/u.test(after) && !/[.,]\d/.test(withPlainDigits(price))) return true;
    if (/^\s*(?:\/|or|to|ou|oder|bis)\s*$/iu.test(after)) return true;
    if ((/\)\s*$/.test(before) || size.test(before)) && /^\s*(?:$|\(|[/|,;]|\p{L}+\s*$)/u.test(after)) return true;
  }
  return false;
}
