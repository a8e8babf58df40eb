/** Amounts are in minor units, as the payment provider takes them. */
export interface CurrencyRules {
  /** Decimals of the major unit: 500 minor units are 5.00 with 2, 500 with 0, and 0.500 with 3. */
  readonly decimals: 0 | 2 | 3;
  /** Every amount that is charged, refunded or taken as a fee is a multiple of this. */
  readonly step: 1 | 10 | 100;
  /**
   * The least that can be charged. Where the provider publishes no minimum it is one step, and the provider decides by its rate of
   * exchange.
   */
  readonly minimum: number;
  readonly maximum: number;
}

const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
/** The provider wants the last of their three decimals to be 0, because not all of its partners can take it. */
const withThreeDecimals = 'BHD JOD KWD OMR TND';
/** They have lost their decimals, but the provider still counts in hundredths, which must be whole units. */
const inHundredths = 'ISK UGX';
const withTwoDecimals =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP DZD ' +
  'EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD ' +
  'MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE ' +
  'SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW';

const minimums: Readonly<Record<string, number>> = {
  AED: 200,
  ARS: 50,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  COP: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  IDR: 50,
  ILS: 50,
  INR: 50,
  JPY: 50,
  KRW: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PHP: 50,
  PLN: 200,
  RON: 200,
  RUB: 50,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
  ZAR: 50,
};

/** An amount has eight digits at most, and more where a unit is worth little; none exceeds an integer column. */
const usualMaximum = 99_999_999;
const maximums: Readonly<Record<string, number>> = { COP: 2_147_483_647, IDR: 2_147_483_647, INR: 999_999_999 };

const rulesOf = (codes: string, decimals: CurrencyRules['decimals'], step: CurrencyRules['step']) =>
  codes
    .split(' ')
    .map((code): [string, CurrencyRules] => [
      code,
      { decimals, step, minimum: minimums[code] ?? step, maximum: maximums[code] ?? usualMaximum },
    ]);

/** The currencies the payment provider can charge, by ISO 4217 code in upper case. */
export const currencies: Readonly<Record<string, CurrencyRules>> = Object.fromEntries([
  ...rulesOf(withoutDecimals, 0, 1),
  ...rulesOf(withTwoDecimals, 2, 1),
  ...rulesOf(inHundredths, 2, 100),
  ...rulesOf(withThreeDecimals, 3, 10),
]);

export const isCurrency = (code: string): boolean => Object.hasOwn(currencies, code);

/** The rules of a currency that cannot be charged are the pound's, so that stored amounts of it can be shown. */
export const rulesOfCurrency = (code: string): CurrencyRules => currencies[isCurrency(code) ? code : 'GBP'] as CurrencyRules;

/** Tests for a whole number of steps, for charges and refunds. Does not check the minimum. */
export const isWholeSteps = (minor: number, currency: string): boolean => minor % rulesOfCurrency(currency).step === 0;

/**
 * Formats an amount for a reader of a language tag: `formatMoney(690, 'GBP', 'en-GB')` is £6.90, `formatMoney(340, 'GBP', 'fr')` is 3,40 £.
 * `minor` is in minor units, `currency` an ISO 4217 code in upper case. Decimals that the language leaves out are left out of whole
 * amounts: 500 ISK in hundredths is ISK 5.
 */
export function formatMoney(minor: number, currency: string, language: string): string {
  const { decimals } = rulesOfCurrency(currency);
  const major = minor / 10 ** decimals;
  const { usual, full, shortensWhole } = moneyFormats(currency, language);
  return (Number.isInteger(major) && shortensWhole ? usual : full).format(major);
}

/** Keeps the formats: making them costs a hundred times as much as using them. */
function moneyFormats(currency: string, language: string): MoneyFormats {
  const key = `${language} ${currency}`;
  const formats = keptFormats.get(key) ?? createMoneyFormats(currency, language);
  keptFormats.set(key, formats);
  return formats;
}

const keptFormats = new Map<string, MoneyFormats>();

function createMoneyFormats(currency: string, language: string) {
  const { decimals } = rulesOfCurrency(currency);
  const style = { style: 'currency', currency, currencyDisplay: displayOf(currency, language) } as const;
  const usual = new Intl.NumberFormat(language, style);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return {
    usual,
    full: new Intl.NumberFormat(language, { ...style, ...digits }),
    shortensWhole: (usual.resolvedOptions().maximumFractionDigits ?? decimals) <= decimals,
  };
}
/** French names the country behind a sign, as £GB and $US. A store has one currency, so its sign is enough. */
function displayOf(currency: string, language: string): 'symbol' | 'narrowSymbol' {
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency }).formatToParts(1);
  return parts.some(({ type, value }) => type === 'currency' && /^\p{Sc}\p{L}+$/u.test(value)) ? 'narrowSymbol' : 'symbol';
}

type MoneyFormats = ReturnType<typeof createMoneyFormats>;
