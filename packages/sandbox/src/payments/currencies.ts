import { currencies, formatMoney, isWholeSteps } from '@corner/contracts';
import { badParameter } from './refusal.ts';

/** Throws a refusal for an amount or a currency that cannot be charged. Returns the currency in lower case. */
export function chargeable(amount: number, currency: string): string {
  const code = currency.toLowerCase();
  const rules = Object.hasOwn(currencies, code.toUpperCase()) ? currencies[code.toUpperCase()] : undefined;
  if (!rules)
    throw badParameter('currency', `Invalid currency: ${code}. Stripe currently supports these currencies: ${supported.join(', ')}`);
  if (amount < 1) throw badParameter('amount', 'This value must be greater than or equal to 1.', 'parameter_invalid_integer');
  checkSteps(amount, code);
  if (amount < rules.minimum) throw badParameter('amount', `Amount must be at least ${shown(rules.minimum, code)}`, 'amount_too_small');
  if (amount > rules.maximum) throw badParameter('amount', `Amount must be no more than ${rules.maximum}`, 'amount_too_large');
  return code;
}

/** Throws a refusal for an amount that the currency cannot be charged, refunded or taken as a fee in. */
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

/** Formats minor units for messages. */
export const shown = (amount: number, currency: string): string => `${formatMoney(amount, currency.toUpperCase(), 'en')} ${currency}`;
