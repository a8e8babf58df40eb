import { currencies } from '@corner/contracts/currencies';

/** The languages of messages. */
export const languages = [
  ['en', 'English'],
  ['fr', 'French'],
] as const;

/** The currencies that the payment provider can charge, with their names. */
export function currencyOptions() {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return Object.keys(currencies)
    .toSorted()
    .map((code) => [code, `${code}, ${names.of(code)}`] as const);
}

/** The time zones that the browser knows. */
export const zoneOptions = () => Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
