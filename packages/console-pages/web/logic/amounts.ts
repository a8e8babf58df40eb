import { rulesOfCurrency } from '@corner/contracts/currencies';
import { money } from './format.ts';

/** Minor units of a price that a person typed, `12.34` or `12,34`, zero too; null when it is not an amount that can be charged in the currency. */
export function parsePrice(text: string, currency: string): number | null {
  const { decimals, step, maximum } = rulesOfCurrency(currency);
  const match = /^(\d{1,9})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match || (match[2] ?? '').length > decimals) return null;
  const minor = Number(match[1]) * 10 ** decimals + Number((match[2] ?? '').padEnd(decimals, '0') || 0);
  return minor <= maximum && minor % step === 0 ? minor : null;
}

/** As {@link parsePrice}, for an amount above zero. */
export const parseAmount = (text: string, currency: string): number | null => parsePrice(text, currency) || null;

/** Hundredths of a percent that a person typed, `20` or `5,5`; null when it is no percentage from 0 to 100. */
export function parseRate(text: string): number | null {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  const bps = match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN;
  return bps <= 10_000 ? bps : null;
}

/** Minor units as a person types them into a field: 1234 of GBP is 12.34. */
export function typedAmount(minor: number, currency: string): string {
  const { decimals } = rulesOfCurrency(currency);
  return (minor / 10 ** decimals).toFixed(decimals);
}

/** Returns why a typed amount cannot be refunded, as a sentence; empty when it can. `left` is in minor units. */
export function refundFault(typed: string, left: number, currency: string, language?: string): string {
  const amount = parseAmount(typed, currency);
  if (amount === null) return `“${typed}” is not an amount in ${currency}.`;
  return amount > left ? `Only ${money(left, currency, language)} is left to refund.` : '';
}
