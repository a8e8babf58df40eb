import { rulesOfCurrency } from '@corner/contracts/currencies';
import { readPrice } from '@corner/contracts/typed';
import { money } from './format.ts';

export { parseRate } from '@corner/contracts/typed';

/** Parses `12.34` or `12,34`, zero too, into minor units; null when it is not an amount that can be charged in the currency. */
export function parsePrice(text: string, currency: string): number | null {
  const read = readPrice(text, currency);
  return typeof read === 'number' ? read : null;
}

export const parseAmount = (text: string, currency: string): number | null => parsePrice(text, currency) || null;

export function typedAmount(minor: number, currency: string): string {
  const { decimals } = rulesOfCurrency(currency);
  return (minor / 10 ** decimals).toFixed(decimals);
}

/** Returns a sentence; empty when the amount can be refunded. `left` is in minor units. */
export function refundFault(typed: string, left: number, currency: string, language?: string): string {
  const amount = parseAmount(typed, currency);
  if (amount === null) return `“${typed}” is not an amount in ${currency}.`;
  return amount > left ? `Only ${money(left, currency, language)} is left to refund.` : '';
}
