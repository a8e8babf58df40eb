import { randomUUID } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { BookKeySet, verifyBooks } from '@corner/operator';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import jsqr from 'jsqr';
import { extractText, getDocumentProxy } from 'unpdf';
import { compareLedger } from '../money/jobs.ts';
import { lookAtPayouts } from '../payouts/sagas.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';
import { closeDays } from './jobs.ts';

const [date, next] = ['2029-01-01', '2029-01-02'];
const name = 'Őrült Kávézó & Żółw €£ 400 Ft 漢字🙂';
let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  running.clock.set(`${date}T12:00:00Z`);
  store = await running.openStore(
    { name },
    menu.map((item) => ({ ...item, vat_rate_bps: 2_000 })),
  );
  const order = await paidOrder(running, store, { tip_pence: 100 });
  await order.refund(300);
  const till = tillOf(running, store);
  await till.call('POST', '/api/v1/orders/drawers', { store_id: store.id, float_pence: 1_000 });
  await till.pay(await till.open(), [{ kind: 'cash', amount_pence: 640, given_pence: 700 }]);
  running.payments.controls.topUp(1_000_000, 'gbp');
  running.payments.controls.payOut(store.account, 'gbp', 0);
  await lookAtPayouts(running.service.context, store.account);
  running.clock.set(`${next}T12:00:00Z`);
  await compareLedger(running.service.context);
  await closeDays(running.service.context);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function read(format: string, of = date, accept = '*/*') {
  const Authorization = `Bearer ${await running.issuer.token({ typ: 'merchant', scope: '', sub: randomUUID(), stores: [{ id: store.id, role: 'owner' }] })}`;
  return await fetch(`${running.service.url}/api/v1/orders/reports/book?store_id=${store.id}&date=${of}&format=${format}`, {
    headers: { Authorization, accept },
  });
}
const printed = async (accept?: string) => Buffer.from(await (await read('pdf', date, accept)).arrayBuffer());
const textOf = async (pdf: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text;
async function provedDay() {
  const keys = BookKeySet.parse(await (await fetch(`${running.service.url}/api/v1/orders/reports/keys`)).json());
  const [book] = verifyBooks([{ name: 'book.csv', text: await (await read('csv')).text() }], { store: store.id, date, keys });
  if (!book?.hash) throw new Error('The day is not proved.');
  return book;
}

/** Reads the code on the first page as a phone does: from its dark squares. */
function codeIn(pdf: Buffer): string | null {
  const streams = pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  const texts = [...streams].flatMap(([, bytes = '']) => {
    try {
      return [inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  const squares = texts.flatMap((text) => [...text.matchAll(/^(\d+) (\d+) 1 1 re$/gm)].map(([, x, y]) => [Number(x), Number(y)] as const));
  const [quiet, zoom] = [4, 4];
  const side = (Math.max(0, ...squares.flat()) + 1 + 2 * quiet) * zoom;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [x, y] of squares)
    for (let n = 0; n < zoom * zoom; n++) {
      const at = ((y + quiet) * zoom + Math.floor(n / zoom)) * side + (x + quiet) * zoom + (n % zoom);
      pixels.fill(0, at * 4, at * 4 + 3);
    }
  return jsqr.default(pixels, side, side)?.data ?? null;
}

test('the paper of a closed day has its sums, VAT, tenders, drawer and tips, its hash, and who signed it when', async () => {
  const { hash, signed_by } = await provedDay();
  const pdf = await printed();
  const text = await textOf(pdf);
  for (const line of [
    `${date}, in GBP`,
    'Store S1, day 1 of its chain of days',
    'ledger charge 2 £13.80',
    'orders paid 2 £13.80',
    'tips 1 £1.00',
    'counter, cash 1 £6.40 £0.00',
    `Hash of the day: ${hash}`,
    'Hash of the day before: none',
    `Signed at ${next}T12:00:00.000Z Key: ${signed_by}`,
    'payout 1 ',
    'VAT Net VAT Gross 20 % £8.16 £1.64 £9.80',
    'each row was as it was signed',
  ])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(line);
  expect(text).toMatch(/Drawers Movements Cash\n[0-9a-f-]{36} 1 £6\.40/);
  expect(await printed('application/pdf')).toEqual(pdf);
});

test('it is a file of its own name, and shows a sign that the font lacks as a box', async () => {
  const response = await read('pdf');
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
    200,
    'application/pdf',
    `attachment; filename="book-${date}.pdf"`,
  ]);
  const text = await textOf(Buffer.from(await response.arrayBuffer()));
  expect(text).toMatch(/^Őrült Kávézó & Żółw €£ 400 Ft \0+\n/);
});

test('its code opens the console’s page Proof of the day, with the hash that the paper has', async () => {
  const { hash } = await provedDay();
  expect(codeIn(await printed())).toBe(`https://console.example.com/shop/${store.id}/proof?from=${date}&to=${date}&hash=${hash}`);
});

test('a day that is not closed has no paper, and the refusal says when it has', async () => {
  const response = await read('pdf', next);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect([response.status, error.code, error.message]).toEqual([
    400,
    'VALIDATION_FAILED',
    'query.date: is not closed yet, so it has no paper: ask again an hour after its end',
  ]);
});

test('rows that were changed after the day was closed are not printed as signed ones', async () => {
  const change = (pence: number, from: number) =>
    running.asSuperuser(`set session_replication_role = replica;
      update ledger set amount_pence = ${pence} where amount_pence = ${from} and tender = 'cash' and store_id = '${store.id}'`);
  await change(641, 640);
  expect(await textOf(await printed())).toContain('the rows were NOT as they were signed');
  await change(640, 641);
});
