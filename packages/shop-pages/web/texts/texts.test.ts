import { expect, test } from '@jest/globals';
import { formatIn } from './format.ts';
import { chooseLanguage, loadTexts } from './texts.ts';

test('the first wanted language that the pages have is chosen, in any region', () => {
  expect([['fr-CA'], ['de', 'fr'], ['de'], [], ['en-US@posix'], ['', 'FR']].map(chooseLanguage)).toEqual([
    'fr',
    'fr',
    'en',
    'en',
    'en',
    'fr',
  ]);
});

test('no text of a language is empty, and each is another than the English one but for a few', async () => {
  const [en, fr] = await Promise.all([loadTexts('en'), loadTexts('fr')]);
  const [english, french] = [flat(en), flat(fr)];
  expect([...french.keys()]).toEqual([...english.keys()]);
  expect([...english, ...french].filter(([, text]) => text === '')).toEqual([]);
  const same = [...english].filter(([key, text]) => french.get(key) === text);
  expect(same.length).toBeLessThan(english.size / 10);
});

test('amounts, times and days are written as the language does, in the zone of the store', () => {
  const at = '2026-12-04T23:30:00Z';
  const [en, fr] = [formatIn('en-GB'), formatIn('fr-FR')];
  const inFrench = ['EUR', 'GBP', 'USD'].map((currency) => fr.money(690, currency).replaceAll(/\s/g, ' '));
  expect([en.money(690, 'GBP'), ...inFrench]).toEqual(['£6.90', '6,90 €', '6,90 £', '6,90 $']);
  expect([en.time(at, 'Europe/London'), fr.time(at, 'Europe/Paris')]).toEqual(['23:30', '00:30']);
  const now = Date.parse('2026-12-04T12:00:00Z');
  expect([en.day(at, 'Europe/London', now), en.day(at, 'Europe/Paris', now), fr.day(at, 'Europe/Paris', now)]).toEqual([
    'Today',
    'Tomorrow',
    'Demain',
  ]);
  expect(en.day('2026-12-09T12:00:00Z', 'Europe/London', now)).toBe('Wednesday 9 December');
});

function flat(value: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value === 'function') found.set(path, (value as (...given: unknown[]) => unknown)('2', '3'));
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) flat(part, `${path}.${key}`, found);
  else found.set(path, value);
  return found;
}
