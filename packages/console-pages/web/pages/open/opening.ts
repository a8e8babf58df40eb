import { menuEntriesOf, type PastedMenu, parsePastedMenu } from '../../logic/pasted-menu.ts';
import { copyDay, type Opening } from '../../logic/week.ts';

/**
 * `menu` has a line for each item: `Flat white 3.20`. `goal` is the number of stamps for the reward, which is the id of the free item,
 * `none` for no programme, or empty for the first item.
 */
export interface OpeningForm {
  readonly name: string;
  readonly menu: string;
  readonly weekdays: OpenTimes;
  readonly weekend: OpenTimes;
  readonly goal: number | null;
  readonly reward: string;
  readonly time_zone: string;
  readonly currency: string;
  readonly language: 'en' | 'fr';
}

export interface OpenTimes {
  readonly open: boolean;
  readonly opens: string;
  readonly closes: string;
}

export function emptyForm(zone: string, language: string, zones: readonly string[]): OpeningForm {
  const time_zone = zones.includes(zone) && zone !== 'UTC' ? zone : 'Europe/London';
  return {
    name: '',
    menu: '',
    goal: 10,
    reward: '',
    time_zone,
    currency: currencyOf(time_zone),
    weekdays: { open: true, opens: '08:00', closes: '17:00' },
    weekend: { open: false, opens: '09:00', closes: '16:00' },
    language: language.startsWith('fr') ? 'fr' : 'en',
  };
}

const euroCities =
  'Amsterdam Andorra Athens Berlin Bratislava Brussels Dublin Helsinki Lisbon Ljubljana Luxembourg Madrid Malta Monaco Paris Riga Rome Tallinn Vienna Vilnius Zagreb';
const currencyByZone: Readonly<Record<string, string>> = {
  ...Object.fromEntries(euroCities.split(' ').map((city) => [`Europe/${city}`, 'EUR'])),
  ...Object.fromEntries(['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Phoenix'].map((city) => [`America/${city}`, 'USD'])),
  'Europe/Zurich': 'CHF',
  'Europe/Stockholm': 'SEK',
  'Europe/Oslo': 'NOK',
  'Europe/Copenhagen': 'DKK',
  'Europe/Warsaw': 'PLN',
  'Australia/Sydney': 'AUD',
  'America/Toronto': 'CAD',
};

export const currencyOf = (zone: string): string => currencyByZone[zone] ?? 'GBP';

export const menuOf = ({ menu, currency }: OpeningForm): PastedMenu => parsePastedMenu(menu, currency);

export function hoursOf({ weekdays, weekend }: OpeningForm): readonly Opening[] {
  const day = (from: number, { opens, closes }: OpenTimes, days: readonly number[]) => copyDay([{ day: from, opens, closes }], from, days);
  return [...(weekdays.open ? day(1, weekdays, [1, 2, 3, 4, 5]) : []), ...(weekend.open ? day(6, weekend, [6, 7]) : [])];
}

export function faultsOf(form: OpeningForm): Readonly<Record<string, string>> {
  const { items, faults, unknown } = menuOf(form);
  return {
    ...(form.name.trim() === '' ? { name: 'What do customers call it?' } : {}),
    ...(faults.length > 0 ? { menu: 'Some lines are no items. They are listed below.' } : {}),
    ...(faults.length === 0 && unknown.length > 0 ? { menu: 'Some columns are not known. Say below what is in them.' } : {}),
    ...(items.length === 0 && faults.length === 0 ? { menu: 'Add an item at least, such as Flat white 3.20.' } : {}),
    ...(hoursOf(form).length === 0 ? { weekdays: 'Open on some days at least.' } : {}),
    ...(form.reward !== 'none' && !((form.goal ?? 0) >= 1 && (form.goal ?? 0) <= 100) ? { goal: 'Must be from 1 to 100.' } : {}),
  };
}

export const settingsOf = (form: OpeningForm) => ({
  name: form.name.trim(),
  time_zone: form.time_zone,
  currency: form.currency,
  language: form.language,
  hours: hoursOf(form),
});

const longestCode = 6;

export function codeFor(name: string, attempt: number): string {
  const letters = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase();
  const number = attempt === 0 ? '' : String(attempt + 1);
  return `${letters.slice(0, longestCode - number.length) || 'SHOP'}${number}`;
}

export const entriesFor = (form: OpeningForm) => menuEntriesOf(menuOf(form).items);

export function programmeOf(form: OpeningForm) {
  const items = entriesFor(form);
  const free = items.find(({ id }) => id === form.reward) ?? items[0];
  if (form.reward === 'none' || !free) return { enabled: false };
  return {
    enabled: true,
    goal: form.goal ?? 10,
    reward_title: titleOf(free.name, form.language),
    reward: { kind: 'item', value: 1, item_id: free.id },
  };
}

export const titleOf = (item: string, language: OpeningForm['language']): string =>
  language === 'fr' ? `${item} offert` : `A free ${item}`;
