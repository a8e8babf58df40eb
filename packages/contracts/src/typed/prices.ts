import { isCurrency, rulesOfCurrency } from '../currencies.ts';
import { withPlainDigits } from './plain.ts';

/** The signs that a list certainly uses in its prices: `decimal` before the fraction, `grouping` between thousands. */
export interface Notation {
  readonly decimal: ReadonlySet<string>;
  readonly grouping: ReadonlySet<string>;
}

const price =
  /^(?<before>[A-Z]{3}|\p{Sc}|[\p{L}.$]{1,3})?[ \u00a0]?(?<digits>\d[\d.,' \u00a0]*?)(?:[.,][-–—]{1,2})?[ \u00a0]?(?<after>[A-Z]{3}|\p{Sc}|[\p{L}.$]{1,3})?$/u;

interface Written {
  readonly digits: string;
  readonly sign: string | undefined;
}

function writtenIn(typed: string): Written | null {
  const { before, after, digits } = price.exec(withPlainDigits(typed).trim())?.groups ?? {};
  return digits === undefined || (before && after && before !== after)
    ? null
    : { digits: digits.replaceAll(' ', '\u00a0'), sign: before ?? after };
}

const thousands = /^\d{1,3}(?:([.,'\u00a0])\d{3})(?:\1\d{3})*(?:(?!\1)([.,])(\d+))?$/;
/** Lakhs, the grouping of South Asia. */
const lakhs = /^\d{1,2}(?:(,)\d{2})+,\d{3}(?:(\.)(\d+))?$/;

/** Leaves out texts that are no price. */
export function notationOf(typed: readonly string[], currency: string): Notation {
  const decimals = decimalsWritten(currency);
  const [decimal, grouping] = [new Set<string>(), new Set<string>()];
  for (const { digits } of typed.flatMap((each) => writtenIn(each) ?? [])) {
    const [, fractionSign, fraction = ''] = /^\d+([.,])(\d+)$/.exec(digits) ?? [];
    if (fractionSign && fraction.length !== 3) decimal.add(fractionSign);
    if (fractionSign && fraction.length === 3 && (digits.startsWith('0') || /^\d{4}/.test(digits))) decimal.add(fractionSign);
    const [, group, sign] = thousands.exec(digits) ?? lakhs.exec(digits) ?? [];
    const isCertain = sign !== undefined || decimals === 0 || digits.split(group ?? ' ').length > 2 || group === "'" || group === '\u00a0';
    if (group && isCertain) grouping.add(group);
    if (sign) decimal.add(sign);
  }
  return { decimal, grouping };
}

/** A currency whose decimals are always zero is written without them. */
const decimalsWritten = (currency: string): number => {
  const { decimals, step } = rulesOfCurrency(currency);
  return step === 100 ? 0 : decimals;
};

/**
 * Returns a typed price, `£3.20`, `3,20 EUR`, `1 250,00`, `￥980`, in minor units; a sentence when it is no price or is ambiguous.
 * `notation` is that of its list, by default that of the price itself.
 */
export function readPrice(typed: string, currency: string, notation: Notation = notationOf([typed], currency)): number | string {
  const { decimals, step, maximum } = rulesOfCurrency(currency);
  const written = writtenIn(typed);
  if (!written) return noPrice(typed, currency);
  const { sign, digits } = written;
  if (sign !== undefined && !signsOf(currency).has(sign.toLowerCase()))
    return isCurrency(sign) || /\p{Sc}/u.test(sign) ? `The prices of the store are in ${currency}.` : noPrice(typed, currency);
  const parts = partsOf(digits, currency, notation);
  if (parts === null) return noPrice(typed, currency);
  if (parts === 'uncertain') return uncertain(typed, digits, decimals);
  if (/[^0]/.test(parts.fraction.slice(decimals)) || (parts.fraction.length > decimals && decimals > 0))
    return `“${typed.trim()}” has more decimals than ${currency}, which has ${decimals}.`;
  const minor = Number(parts.whole) * 10 ** decimals + Number(parts.fraction.slice(0, decimals).padEnd(decimals, '0') || 0);
  if (minor > maximum) return `“${typed.trim()}” is more than can be charged in ${currency}.`;
  return minor % step === 0
    ? minor
    : `“${typed.trim()}” cannot be charged: prices in ${currency} are multiples of ${step / 10 ** decimals}.`;
}

const noPrice = (typed: string, currency: string): string =>
  `“${typed.trim()}” is not a price in ${currency}, such as ${(3.2).toFixed(rulesOfCurrency(currency).decimals)}.`;

function uncertain(typed: string, digits: string, decimals: number): string {
  const [whole = '', last = ''] = digits.split(/[.,]/);
  const small = decimals === 3 ? `${whole}.${last}` : `${whole}.${last.slice(0, 2)}`;
  return `“${typed.trim()}” can be read in two ways: write ${Number(whole + last).toFixed(decimals)} or ${small}.`;
}

/** Returns null for no price, and `uncertain` for digits that may mean two prices. */
function partsOf(
  digits: string,
  currency: string,
  { decimal, grouping }: Notation,
): { readonly whole: string; readonly fraction: string } | 'uncertain' | null {
  if (/^\d{1,10}$/.test(digits)) return { whole: digits, fraction: '' };
  const [, whole = '', sign = '', fraction = ''] = /^(\d{1,10})([.,])(\d+)$/.exec(digits) ?? [];
  const isThousand = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (sign !== '' && !isThousand) return { whole, fraction };
  if (sign !== '') {
    const places = decimalsWritten(currency);
    if (places === 0) return { whole: whole + fraction, fraction: '' };
    const [asDecimal, asGroup] = [decimal.has(sign), grouping.has(sign)];
    const hasOther = [...decimal].some((other) => other !== sign);
    if (asDecimal && !asGroup && !hasOther) return { whole, fraction };
    if (!asDecimal && (asGroup || hasOther)) return { whole: whole + fraction, fraction: '' };
    return places === 3 && sign === '.' && !asGroup && !hasOther ? { whole, fraction } : 'uncertain';
  }
  const [, , point, rest = ''] = thousands.exec(digits) ?? lakhs.exec(digits) ?? [];
  if (!thousands.test(digits) && !lakhs.test(digits)) return null;
  const body = point === undefined ? digits : digits.slice(0, -rest.length - 1);
  return { whole: body.replace(/\D/g, ''), fraction: rest };
}

const localSigns: Readonly<Record<string, readonly string[]>> = {
  JPY: ['円', '¥'],
  CNY: ['元', '¥', '圆'],
  KRW: ['원', '₩'],
  CHF: ['fr.', 'sfr'],
  INR: ['rs', 'rs.'],
  GBP: ['£'],
  USD: ['us$'],
  SEK: ['kr.', 'kr'],
  NOK: ['kr.', 'kr'],
  DKK: ['kr.', 'kr'],
  ISK: ['kr.', 'kr'],
};

export const signsOf = (currency: string): ReadonlySet<string> =>
  new Set([
    currency.toLowerCase(),
    ...(localSigns[currency] ?? []),
    ...(['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .flatMap(({ type, value }) => (type === 'currency' ? [value.toLowerCase()] : [])),
    ),
  ]);

export const plainPrice = (minor: number, currency: string): string =>
  (minor / 10 ** rulesOfCurrency(currency).decimals).toFixed(rulesOfCurrency(currency).decimals);

/** Returns `20` or `5,5` in hundredths of a percent; null unless it is a percentage from 0 to 100. */
export function parseRate(text: string): number | null {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(withPlainDigits(text).trim());
  const bps = match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN;
  return bps <= 10_000 ? bps : null;
}
