import { describe, expect, test } from '@jest/globals';
import type { Template, TemplateData } from '../rules/template-data.ts';
import { sampleData } from '../testing/sample-data.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { Format, PartialTexts } from './text.ts';
import { languages, writeText } from './write-text.ts';

const templates = Object.keys(sampleData) as Template[];
const context = {
  store: { name: 'Bea’s Bakery', time_zone: 'Europe/Paris', currency: 'EUR' },
  now: new Date('2026-06-01T12:00:00Z'),
};

const literalFormat: Format = {
  store: '[store]',
  money: (minor, currency = 'store’s currency') => `[${minor} ${currency}]`,
  time: (instant) => `[time ${instant}]`,
  dateTime: (instant) => `[date ${instant}]`,
  percent: (bps) => `[${bps} bps]`,
  plural: (_, { other }) => other,
};

/** Returns everything in brackets and every number, each once, and missing values. */
function placeholdersOf<T extends Template>({ texts }: PartialTexts, template: T, data: TemplateData[T]): readonly string[] {
  const text = texts[template]?.(data, literalFormat);
  return [...new Set(`${text?.title} ${text?.body}`.match(/\[(?:\[[^\]]*\]|[^[\]])*\]|\d+|undefined|null|NaN/g) ?? [])].toSorted();
}

describe.each(Object.entries(languages))('%s', (_, language) => {
  test('has every text', () => {
    expect(Object.keys(language.texts).toSorted()).toEqual(templates.toSorted());
  });

  test.each(templates)('says what the English text of %s says', (template) => {
    for (const data of sampleData[template])
      expect(placeholdersOf(language, template, data as never)).toEqual(placeholdersOf(en, template, data as never));
  });
});

test('a text that a language lacks is written in English, with English numbers', () => {
  const unfinished = { ...fr, texts: { 'queue.no_show': fr.texts['queue.no_show'] } };
  const write = <T extends Template>(template: T, data: TemplateData[T]) => writeText(unfinished, template, data, context);
  expect(write('queue.no_show', {}).title).toBe('Vous avez manqué votre tour');
  expect(write('order.paid', { order_id: 'o', order_number: 'S1-1', total_pence: 125_000, currency: 'EUR' }).body).toContain('€1,250.00');
});

test('amounts, times and plurals follow the language, and times the store’s time zone', () => {
  const french = <T extends Template>(template: T, data: TemplateData[T]) => writeText(fr, template, data, context).body;
  expect(
    french('order.refunded', {
      order_id: 'o',
      refund_id: 'r',
      order_number: 'S1-1',
      amount_pence: 125_000,
      cumulative_pence: 0,
      full: true,
      currency: 'EUR',
    }),
  ).toMatch(/1\s250,00\s€/u);
  expect(french('queue.called', { hold_until: '2026-06-02T12:05:00Z' })).toContain('mar. 2 juin, 14:05');
  expect([0, 1, 2].map((stamp_count) => french('stamp.rejected', { stamp_count, goal: 10 }))).toEqual([
    expect.stringContaining('Votre carte compte 0 tampon sur 10.'),
    expect.stringContaining('Votre carte compte 1 tampon sur 10.'),
    expect.stringContaining('Votre carte compte 2 tampons sur 10.'),
  ]);
  expect(writeText(en, 'stamp.undone', { stamp_count: 1, goal: 1 }, context).body).toContain('1 of 1 stamp.');
});

test.each([
  ['JPY', 1250, '¥1,250'],
  ['GBP', 1250, '£12.50'],
  ['KWD', 1250, 'KWD 1.250'],
])('an amount of %s has the decimals of its currency', (currency, total_pence, formatted) => {
  const { body } = writeText(en, 'order.paid', { order_id: 'o', order_number: 'S1-1', total_pence, currency }, context);
  expect(body.replace(/\s/gu, ' ')).toContain(formatted);
});
