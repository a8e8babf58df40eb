import { currencies } from '@corner/contracts/currencies';

export const languages = [
  ['en', 'English'],
  ['fr', 'French'],
] as const;

export function currencyOptions() {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return Object.keys(currencies)
    .toSorted()
    .map((code) => [code, `${code}, ${names.of(code)}`] as const);
}

export const zoneOptions = () => Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
