import { DayOfMoney } from '@corner/console-api';
import { dayOfMoney } from '@corner/contracts';
import type { Platform } from '@corner/nats';
import { z } from 'zod';
import type { Api, Asked } from '../http/api.ts';
import { atStore, Id, parsed } from '../http/guards.ts';

const Store = z.object({ store_id: Id });
/** Entries that the ledger returns of a day, at most. */
const entriesAtMost = 2_000;
const partial = `only the first ${entriesAtMost} entries of the day are in this file`;

const Day = z.object({ date: z.iso.date('must be a date, for example 2026-11-23') });

/** Adds a store's day of money for people of that store, as JSON and as a table for a spreadsheet. */
export function addMoney(api: Api, { call }: Platform): void {
  const read = async ({ request }: Asked) => await call(dayOfMoney, { ...parsed(Store, request.params), ...parsed(Day, request.query) });

  api.get('/api/shop/:store_id/money', atStore, DayOfMoney, read);
  api.handle('/api/shop/:store_id/money.csv', atStore, async (asked) => {
    const { date, currency, entries } = await read(asked);
    const rows = entries.map(({ at, kind, order_number, order_id, amount, fee, provider_id }) => [
      ...[at, kind, order_number, order_id],
      ...[amount, fee, currency, provider_id],
    ]);
    const head = ['at', 'kind', 'order_number', 'order_id', 'amount', 'fee', 'currency', 'provider_id'];
    asked.response
      .type('text/csv; charset=utf-8')
      .set('Content-Disposition', `attachment; filename="money-${date}.csv"`)
      .send(csvOf([head, ...rows, ...(entries.length < entriesAtMost ? [] : [['', partial, '', '', null, null, '', '']])]));
  });
}

/** A field of a table. */
export type Field = string | number | null;

/**
 * Returns a table as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, since some of the texts come
 * from outside.
 */
export const csvOf = (rows: readonly (readonly Field[])[]): string => rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(field: Field): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  const text = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
