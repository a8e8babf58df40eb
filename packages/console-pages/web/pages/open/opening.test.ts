import { expect, test } from '@jest/globals';
import { codeFor, emptyForm, entriesFor, faultsOf, hoursOf, type OpeningForm, programmeOf, settingsOf } from './opening.ts';

const zones = ['Europe/London', 'Europe/Paris'];
const form = (changes: Partial<OpeningForm> = {}): OpeningForm => ({
  ...emptyForm('Europe/London', 'en-GB', zones),
  name: ' Café Ana ',
  menu: 'Flat white 3.20\nCroissant 2.80',
  ...changes,
});

test('a form begins in the zone, the currency and the language of the browser, and in London where the zone is not known', () => {
  expect(emptyForm('Europe/Paris', 'fr-FR', zones)).toMatchObject({ time_zone: 'Europe/Paris', currency: 'EUR', language: 'fr' });
  expect(emptyForm('UTC', 'en', [...zones, 'UTC'])).toMatchObject({ time_zone: 'Europe/London', currency: 'GBP', language: 'en' });
});

test('a name and a menu are enough to open a shop', () => {
  expect(faultsOf(form())).toEqual({});
  expect(settingsOf(form())).toMatchObject({ name: 'Café Ana', currency: 'GBP', time_zone: 'Europe/London' });
  expect(hoursOf(form()).map(({ day }) => day)).toEqual([1, 2, 3, 4, 5]);
  expect(entriesFor(form())).toEqual([
    { id: 'flat-white', name: 'Flat white', price_pence: 320 },
    { id: 'croissant', name: 'Croissant', price_pence: 280 },
  ]);
  expect(programmeOf(form())).toEqual({
    enabled: true,
    goal: 10,
    reward_title: 'A free Flat white',
    reward: { kind: 'item', value: 1, item_id: 'flat-white' },
  });
});

test('what is missing is said at its field', () => {
  expect(Object.keys(faultsOf(emptyForm('Europe/London', 'en', zones)))).toEqual(['name', 'menu']);
  const closed = { open: false, opens: '08:00', closes: '17:00' };
  expect(Object.keys(faultsOf(form({ menu: 'Flat white', weekdays: closed, weekend: closed, goal: null })))).toEqual([
    'menu',
    'weekdays',
    'goal',
  ]);
  expect(faultsOf(form({ goal: null, reward: 'none' }))).toEqual({});
});

test('headings of the menu are its parts, and a column that is not known is asked about before the shop opens', () => {
  expect(entriesFor(form({ menu: 'Coffee\nFlat white 3.20' }))).toEqual([
    { id: 'flat-white', name: 'Flat white', price_pence: 320, category: 'Coffee' },
  ]);
  const table = (heading: string) => faultsOf(form({ menu: `name,price,${heading}\nFlat white,3.20,Coffee` }));
  expect([table('Shelf').menu, table('category').menu]).toEqual([expect.stringContaining('not known'), undefined]);
});

test('the reward is the item that was chosen, or none', () => {
  expect(programmeOf(form({ reward: 'croissant', goal: 6 }))).toMatchObject({ goal: 6, reward: { item_id: 'croissant' } });
  expect(programmeOf(form({ reward: 'none' }))).toEqual({ enabled: false });
  expect(programmeOf(form({ language: 'fr' }))).toMatchObject({ reward_title: 'Flat white offert' });
});

test('a code of at most six letters comes from the name, with a number when another store has it', () => {
  expect([0, 1, 11].map((attempt) => codeFor('Café Ana', attempt))).toEqual(['CAFEAN', 'CAFEA2', 'CAFE12']);
  expect([0, 19].map((attempt) => codeFor('コーヒー', attempt))).toEqual(['SHOP', 'SHOP20']);
});
