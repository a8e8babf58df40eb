import { badParameter } from './refusal.ts';

/** The smallest amount that can be charged, in minor units, by currency. */
const least: Readonly<Record<string, { readonly amount: number; readonly shown: string }>> = {
  aud: { amount: 50, shown: '$0.50 aud' },
  cad: { amount: 50, shown: '$0.50 cad' },
  chf: { amount: 50, shown: '0.50 chf' },
  dkk: { amount: 250, shown: '2.50-kr. dkk' },
  eur: { amount: 50, shown: '€0.50 eur' },
  gbp: { amount: 30, shown: '£0.30 gbp' },
  nok: { amount: 300, shown: '3.00-kr. nok' },
  sek: { amount: 300, shown: '3.00-kr. sek' },
  usd: { amount: 50, shown: '$0.50 usd' },
};
const most = 99_999_999;

/** Throws a refusal for an amount or a currency that cannot be charged. Returns the currency in lower case. */
export function chargeable(amount: number, currency: string): string {
  const code = currency.toLowerCase();
  const limit = Object.hasOwn(least, code) ? least[code] : undefined;
  if (!limit)
    throw badParameter('currency', `Invalid currency: ${code}. The simulator supports these currencies: ${Object.keys(least).join(', ')}`);
  if (amount < 1) throw badParameter('amount', 'This value must be greater than or equal to 1.', 'parameter_invalid_integer');
  if (amount < limit.amount) throw badParameter('amount', `Amount must be at least ${limit.shown}`, 'amount_too_small');
  if (amount > most) throw badParameter('amount', `Amount must be no more than ${most}`, 'amount_too_large');
  return code;
}

/** Formats minor units for messages. */
export const shown = (amount: number, currency: string): string => `${(amount / 100).toFixed(2)} ${currency}`;
