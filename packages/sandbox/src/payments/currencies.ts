import { currencies, formatMoney, isWholeSteps, rulesOfCurrency } from '@corner/contracts';
import { badParameter } from './refusal.ts';

export function chargeable(amount: number, currency: string): string {
  const code = currencyOf(amount, currency);
  const { step, minimum: published, maximum } = rulesOfCurrency(code.toUpperCase());
  // Where no minimum is published, it depends on the exchange rate to the account's currency. Ten steps stand for it.
  const minimum = published === step ? 10 * step : published;
  if (amount < minimum) throw badParameter('amount', `Amount must be at least ${shown(minimum, code)}`, 'amount_too_small');
  if (amount > maximum) throw badParameter('amount', `Amount must be no more than ${maximum}`, 'amount_too_large');
  return code;
}

export function currencyOf(amount: number, currency: string): string {
  const code = currency.toLowerCase();
  if (!supported.includes(code)) {
    throw badParameter('currency', `Invalid currency: ${code}. Stripe currently supports these currencies: ${supported.join(', ')}`);
  }
  if (amount < 1) throw badParameter('amount', 'This value must be greater than or equal to 1.', 'parameter_invalid_integer');
  checkSteps(amount, code);
  return code;
}

export function checkSteps(amount: number, currency: string, param = 'amount'): void {
  const code = currency.toUpperCase();
  if (isWholeSteps(amount, code)) return;
  throw badParameter(
    param,
    `Invalid amount: ${amount} is not evenly divisible by ${currencies[code]?.step} ${code}.`,
    'parameter_invalid_integer',
  );
}

const supported = Object.keys(currencies).map((code) => code.toLowerCase());

export const shown = (amount: number, currency: string): string => `${formatMoney(amount, currency.toUpperCase(), 'en')} ${currency}`;

export function disputeFee(code: string): number {
  if (code === 'gbp' || code === 'eur') return 2_000;
  return code === 'jpy' ? 1_300 : 15 * 10 ** rulesOfCurrency(code.toUpperCase()).decimals;
}
