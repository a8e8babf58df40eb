import { DayOfMoney } from '@corner/console-api';
import { type Amount, csvOf, Day, dayOfMoney, type Field, type RpcOutput } from '@corner/contracts';
import { rulesOfCurrency } from '@corner/contracts/currencies';
import type { Platform } from '@corner/operator';
import { z } from 'zod';
import type { Api, Asked } from '../http/api.ts';
import { Id, manager, parsed } from '../http/guards.ts';
import type { StoreNames } from '../people/store-names.ts';

const Store = z.object({ store_id: Id });
const entriesAtMost = 2_000;
const partial = `only the first ${entriesAtMost} entries of the day are in this file`;

const OfDay = z.object({ date: Day });

export function addMoney(api: Api, { call }: Platform, stores: StoreNames): void {
  const read = async ({ request }: Asked) => await call(dayOfMoney, { ...parsed(Store, request.params), ...parsed(OfDay, request.query) });

  api.get('/api/shop/:store_id/money', manager, DayOfMoney, read);
  api.handle('/api/shop/:store_id/money.csv', manager, async (asked) => {
    const day = await read(asked);
    const { time_zone } = await stores.of(day.store_id);
    asked.response
      .type('text/csv; charset=utf-8')
      .set('Content-Disposition', `attachment; filename="money-${day.date}.csv"`)
      .send(csvOf(tableOf(day, time_zone)));
  });
}

/** Times are the store's, amounts in the major unit; money that leaves the store is negative. */
function tableOf({ currency, entries }: RpcOutput<typeof dayOfMoney>, timeZone: string): readonly (readonly Field[])[] {
  const { decimals } = rulesOfCurrency(currency);
  const amountOf = (minor: number): Amount => ({ minor, decimals });
  const rows = entries.map(({ at, kind, order_number, order_id, amount, fee, provider_id }) => [
    timeIn(timeZone, at),
    kind,
    order_number,
    order_id,
    amountOf(amount),
    amountOf(-fee),
    currency,
    provider_id,
  ]);
  const head = [`time (${timeZone})`, 'kind', 'order_number', 'order_id', 'amount', 'fee', 'currency', 'provider_id'];
  return [head, ...rows, ...(entries.length < entriesAtMost ? [] : [['', partial, '', '', null, null, '', '']])];
}

const timeIn = (timeZone: string, instant: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
