import { formatMoney } from '@corner/contracts/currencies';

/** An amount in minor units of a currency, as a language writes it. */
export const money = (minor: number, currency: string, language: string): string => formatMoney(minor, currency, language);
