import { simulatePrinter } from '@corner/sandbox/printers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeContact } from '../shop/tables/projections.ts';
import { customer } from '../testing/callers.ts';
import { menu, type Running, startRunning } from '../testing/running.ts';
import { mediaTypeOf, mediaTypes, paperColumns, printData } from './rules/print-data.ts';
import { columnsOf, harmless, wrap } from './rules/printable.ts';
import { outcomeOf, printerState } from './rules/printing.ts';
import { type TicketOrder, type TicketPrint, ticketLines } from './rules/ticket-lines.ts';
import { addKitchenPrinter } from './testing/kitchen.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const order: TicketOrder = {
  order_number: 'S1-1042',
  collection_code: 'K7PX',
  table_number: null,
  customer_name: 'Ana Lima',
  business_status: 'placed',
  revised_ready_at: null,
  requested_collection_at: '2026-07-01T10:30:00.000000Z',
  paid_at: '2026-07-01T10:00:00.000000Z',
  prep_minutes: 7,
  lines: [
    { name: 'Flat white', quantity: 1, choices: [], note: null },
    { name: 'Croissant', quantity: 12, choices: [], note: null },
  ],
};
const print: TicketPrint = {
  kind: 'order',
  copy: 0,
  language: 'en',
  timeZone: 'Europe/London',
  now: new Date('2026-07-01T10:05:00Z'),
  columns: 48,
};
const textOf = (of: Partial<TicketOrder> = {}, as: Partial<TicketPrint> = {}) =>
  ticketLines({ ...order, ...of }, { ...print, ...as }).map(({ text }) => text);

describe('a ticket', () => {
  test('says what was chosen and noted below each item, within the paper', () => {
    const milk = { quantity: 2, name: 'Flat white', choices: [{ name: 'Oat milk from the farm on the hill' }], note: 'no lid, please' };
    expect(textOf({ lines: [milk] }, { columns: 24 }).slice(-7)).toEqual([
      ' 2 x Flat white',
      '     + Oat milk from the',
      '       farm on the hill',
      '     ! no lid, please',
      '------------------------',
      'Ana Lima',
      'PAID',
    ]);
  });

  test('has the number and the code large, the time, the lines, the name, that it is paid, and no sum', () => {
    expect(ticketLines(order, print)).toEqual([
      { text: 'S1-1042', size: 'large' },
      { text: 'Code K7PX', size: 'large' },
      { text: 'Due 11:30', size: 'normal' },
      { text: '-'.repeat(48), size: 'normal' },
      { text: ' 1 x Flat white', size: 'normal' },
      { text: '12 x Croissant', size: 'normal' },
      { text: '-'.repeat(48), size: 'normal' },
      { text: 'Ana Lima', size: 'normal' },
      { text: 'PAID', size: 'normal' },
    ]);
  });

  test('of an order to serve at a table has the table and no code, and no name when none is known', () => {
    const text = textOf({ table_number: '12', collection_code: null, customer_name: null });
    expect(text.slice(0, 2)).toEqual(['S1-1042', 'Table 12']);
    expect(text.at(-2)).toBe('-'.repeat(48));
  });

  test.each([
    ['a delay notice moves it', { revised_ready_at: '2026-07-01T10:45:00Z' }, {}, 'Due 11:45'],
    ['without a time it is as soon as the order is made', { requested_collection_at: null }, {}, 'Due 11:07'],
    ['another day is named', { requested_collection_at: '2026-07-02T10:30:00Z' }, {}, 'Due Thu 2 Jul 11:30'],
    ['the day is the store’s', { requested_collection_at: '2026-07-01T23:30:00Z' }, {}, 'Due Thu 2 Jul 00:30'],
    [
      'in French',
      { requested_collection_at: '2026-07-02T10:30:00Z' },
      { language: 'fr', timeZone: 'Europe/Paris' },
      'Pour jeu. 2 juil. 12:30',
    ],
  ] as const)('has its time by the store’s clock: %s', (_, of, as, expected) => {
    expect(textOf(of, as)).toContain(expected);
  });

  test('is marked as a copy and as cancelled, in the printer’s language', () => {
    expect(textOf({}, { copy: 2 })[0]).toBe('COPY 2');
    expect(textOf({}, { kind: 'cancelled' })[0]).toBe('*** CANCELLED ***');
    expect(textOf({ business_status: 'cancelled' }, { copy: 1, language: 'fr' }).slice(0, 2)).toEqual(['*** ANNULÉE ***', 'COPIE 1']);
    expect(textOf({}, { language: 'fr' }).at(-1)).toBe('PAYÉE');
  });

  test.each([48, 42, 32])('has no line longer than a paper of %i columns', (columns) => {
    const long = {
      name: 'Oat milk flat white with two extra shots and a Donaudampfschifffahrtsgesellschaftskapitänsmütze 抹茶ラテ',
      quantity: 99,
      choices: [],
      note: null,
    };
    for (const { text, size } of ticketLines(
      { ...order, customer_name: '名'.repeat(60), table_number: '12345678901234567', lines: [long] },
      { ...print, columns },
    ))
      expect(columnsOf(text)).toBeLessThanOrEqual(size === 'large' ? columns / 2 : columns);
  });
});

describe('a hostile text', () => {
  test.each([
    ['escape codes', 'Cake\u001b\u0069\u0005\u0005\u001bd\u0002', 'Cake i d'],
    ['controls', 'A\u0000\u0007\u009b31mB\u007f', 'A 31mB'],
    ['line breaks', 'one\r\ntwo\u2028three\tfour', 'one two three four'],
    ['marks that reorder', 'abc\u202edef\u2066\u200b', 'abcdef'],
    ['half a character', 'x\ud83dy', 'xy'],
    ['nothing but controls', '\u001b\u0001', ''],
  ])('is made harmless: %s', (_, text, expected) => {
    expect(harmless(text)).toBe(expected);
  });

  test('is printed as a name by a real run, and moves nothing', async () => {
    const nasty = `Cake\u001b@\u001bd\u0002 [cut] \u{1f382} "é"`;
    const store = await running.openStore({}, [...menu, { id: 'nasty', name: nasty, price_pence: 100 }]);
    const ada = customer(running);
    await running.service.database.transaction((tx) =>
      writeContact(tx, { version: 1, id: ada.sub, name: 'A\u001bda', push_devices: [], email: null, language: null } as never),
    );
    const kitchen = await addKitchenPrinter(running, store, { printWidth: 72, codePages: 'utf-8;1252' });
    const plain = simulatePrinter({ url: (await addKitchenPrinter(running, store)).url, mediaTypes: ['text/plain'] });
    await ada.paid(store, { items: [{ menu_item_id: 'nasty', quantity: 2 }] });
    for (const device of [kitchen.device, plain]) {
      expect((await device.poll())?.code).toBe('200 OK');
      expect(device.printed[0]?.text).toContain('\n 2 x Cake @ d [cut] 🎂 "é"\n');
      expect(device.printed[0]?.text).toContain('\nA da\n');
    }
    expect(kitchen.device.printed[0]?.lines[0]).toEqual({ text: expect.stringMatching(/^S1-/), large: true });
    expect(plain.printed[0]?.text).toMatch(/^\* S1-\d+ \*\n/);
  });
});

describe('the data of a ticket', () => {
  const lines = [{ text: 'Crème brûlée 5 € 抹', size: 'large' }] as const;
  const hex = (codePages: string | undefined, type: (typeof mediaTypes)[number] = 'application/vnd.star.line') =>
    Buffer.from(printData(lines, type, { printWidth: undefined, codePages })).toString('hex');

  test('is in UTF-8 for a printer that reads it, else in code page 1252 with a question mark for what that lacks', () => {
    expect(hex('utf-8;1252')).toBe(
      `1b401b1d2955020030011b1d2955020040001b690101${Buffer.from('Crème brûlée 5 € 抹').toString('hex')}0a1b6900001b6402`,
    );
    expect(hex(undefined)).toBe('1b401b1d74201b6901014372e86d65206272fb6ce965203520803f0a1b6900001b6402'.replace('20803f', '2080203f'));
    expect(Buffer.from(hex(undefined, 'text/plain'), 'hex').toString()).toBe('* Crème brûlée 5 € 抹 *\n');
  });

  test.each([
    [null, mediaTypes[0]],
    ['', mediaTypes[0]],
    ['Text/Plain; charset=utf-8', 'text/plain'],
    ['application/vnd.star.line', 'application/vnd.star.line'],
    ['text/vnd.star.markup', null],
    ['image/png', null],
  ])('asked for as %p is %p', (asked, type) => expect(mediaTypeOf(asked)).toBe(type));

  test.each([
    ['72', 48],
    ['72.0', 48],
    ['63.5', 42],
    [undefined, 42],
    ['', 42],
    ['50.8', 32],
  ])('on paper that prints %p mm has %i columns', (printWidth, columns) => {
    expect(paperColumns({ printWidth, codePages: undefined })).toBe(columns);
  });
});

test('a text is broken between words, and within one that is too long', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  expect(wrap('抹茶ラテ', 4)).toEqual(['抹茶', 'ラテ']);
  expect(wrap('', 4)).toEqual([]);
});

describe('a code of a printer', () => {
  test.each([
    ['200 OK', { printed: true, counts: false, code: '200' }],
    ['OK', { printed: true, counts: false, code: '200' }],
    ['211 Paper low', { printed: true, counts: false, code: '211' }],
    ['410 Paper Empty', { printed: false, counts: false, code: '410' }],
    ['510', { printed: false, counts: true, code: '510' }],
    ['nonsense', { printed: false, counts: true, code: '500' }],
  ])('%p ends a job as %p', (code, end) => expect(outcomeOf(code)).toEqual(end));

  test.each([
    ['200', 'online', null],
    ['211', 'online', 'The paper is low.'],
    ['221', 'online', null],
    ['410', 'error', 'The printer is out of paper.'],
    ['419', 'error', 'The printer has a problem with its paper.'],
    ['420', 'error', 'The cover of the printer is open.'],
    ['499', 'error', 'The printer cannot print.'],
    ['521', 'error', 'The printer cannot download its tickets.'],
    ['599', 'error', 'The printer cannot use its tickets.'],
  ])('%s of a printer that was just seen means %s: %p', (status_code, status, detail) => {
    const seen = { last_seen_at: print.now.toISOString(), status_code, failed_code: null };
    expect(printerState(seen, print.now)).toEqual({ status, detail });
  });
});
