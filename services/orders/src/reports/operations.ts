import { type Caller, derivedUuid, hasRole, type Operation, type Pdf, type PrintableOperation } from '@corner/chassis';
import { type DayBook, hashedTextOf, type orders, Problem, type ReportItem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { printPaper } from './adapters.ts';
import type { ReportsContext } from './context.ts';
import { hashText, readProof, sealTipShares } from './crypto.ts';
import { type BookContents, bookRows } from './rules/book.ts';
import { addFigures, type DayFigures, noFigures, reportFigures, sumItems } from './rules/figures.ts';
import { paperOf } from './rules/paper.ts';
import { shareTips } from './rules/share-tips.ts';
import { type DaySums, daysBetween, sumDay, weeksOf } from './rules/sum-day.ts';
import { findStatement, readBookContents } from './tables/books.ts';
import {
  findReportedStores,
  type ReportedStore,
  readClosedDays,
  readClosedTips,
  readComparison,
  sumPayouts,
} from './tables/closed-days.ts';
import { readOpenRows } from './tables/open-days.ts';
import { findClosedTips, findPaidDays, findTipLists, type TipList } from './tables/tip-lists.ts';
import { enterTipList } from './transactions.ts';

export const readReport: Operation<typeof orders.readReport, Context> = async ({ query, caller }, context) => {
  const { database, mode } = context;
  const { from, to } = query;
  const ids = storesOf(caller, query.store_id);
  const stores = await findReportedStores(database, ids, mode);
  const currency = currencyOf(stores, query.store_id);
  const dates = daysBetween(from, to);
  const figures = new Map<string, DayFigures>();
  const count = (day: string, of: DayFigures) => figures.set(day, addFigures(figures.get(day) ?? noFigures, of));

  const items: ReportItem[] = [];
  const closed = await readClosedDays(database, ids, from, to);
  const until = new Map(stores.map((store) => [store.id, store.closed?.day ?? '']));
  // A day closed since the stores were read is summed from its orders.
  for (const sums of closed.filter(({ store_id, day }) => day <= (until.get(store_id) ?? ''))) {
    count(sums.day, sums.figures);
    items.push(...sums.items);
  }
  for (const store of stores) {
    for (const sums of await sumOpenDays(context, store, from, to)) {
      count(sums.day, sums.figures);
      items.push(...sums.items);
    }
  }
  const accounts = [...new Set(stores.flatMap(({ account }) => account ?? []))];
  const payouts = new Map((await sumPayouts(database, accounts, from, to)).map(({ day, ...sum }) => [day, sum]));
  const payoutsOn = (day: string) => payouts.get(day) ?? { count: 0, amount_pence: 0 };
  const listed = sumItems(items);
  const others = listed.slice(query.items);
  return {
    from,
    to,
    currency,
    stores: stores.map(({ id, name, time_zone }) => ({ id, name, time_zone })),
    days: dates.map((date) => ({
      date,
      closed: stores.every((store) => store.closed !== null && date <= store.closed.day),
      ...reportFigures(figures.get(date) ?? noFigures, payoutsOn(date)),
    })),
    total: reportFigures(
      [...figures.values()].reduce(addFigures, noFigures),
      dates.map(payoutsOn).reduce((sum, one) => ({ count: sum.count + one.count, amount_pence: sum.amount_pence + one.amount_pence })),
    ),
    items: listed.slice(0, query.items),
    other_items: {
      names: others.length,
      quantity: others.reduce((sum, { quantity }) => sum + quantity, 0),
      amount_pence: others.reduce((sum, { amount_pence }) => sum + amount_pence, 0),
    },
    provider_balance: balanceView(await readComparison(database, ids)),
  };
};

export const listTips: Operation<typeof orders.listTips, Context> = async ({ query }, context) => {
  const { database } = context;
  const { store_id, to, limit } = query;
  const store = await mustFindStore(context, store_id);
  const [day = query.from, n = '0'] = query.after?.split('.') ?? [];
  const [from, after] = day < query.from ? [query.from, 0] : [day, Number(n)];
  const last = lastClosed(store, to);
  const found = last !== null ? [...(await readClosedTips(database, store_id, { from, to: last, after, limit: limit + 1 }))] : [];
  if (found.length <= limit)
    for (const { day, tips } of await sumOpenDays(context, store, from, to))
      found.push(...tips.map((tip, n) => ({ day, n: n + 1, ...tip })).filter(({ n }) => day > from || n > after));
  const page = found.slice(0, limit);
  const end = page.at(-1);
  return {
    currency: store.currency,
    tips: page.map(({ day, n: _n, ...tip }) => ({ date: day, store_id, ...tip })),
    next: end && found.length > limit ? `${end.day}.${end.n}` : null,
  };
};

export const enterTipShares: Operation<typeof orders.enterTipShares, ReportsContext> = async (
  { caller, body, idempotencyKey },
  context,
) => {
  const { database, bookSigner, newId } = context;
  const { store_id: storeId, date: day, shares } = body;
  await mustFindStore(context, storeId);
  const key = `tip list:${storeId}:${caller.type}:${caller.id}:${idempotencyKey}`;
  const id = idempotencyKey === undefined ? newId() : derivedUuid(key);
  const request = { id, storeId, day, by: { id: caller.id, name: caller.name }, shares };
  return { list: listView(await database.transaction((tx) => enterTipList(tx, request, bookSigner))) };
};

export const readTipShares: Operation<typeof orders.readTipShares, ReportsContext> = async ({ query: { store_id, date } }, context) => {
  const { database, bookSigner } = context;
  const store = await mustFindStore(context, store_id);
  const { code, currency } = store;
  const closed = await findClosedTips(database, store_id, date);
  const tips = closed?.tips ?? (await sumOpenDays(context, store, date, date)).flatMap((sums) => sums.tips);
  const orderIds = [...new Set(tips.map(({ order_id }) => order_id))];
  const paid = new Map((await findPaidDays(database, store_id, orderIds)).map(({ order_id, day }) => [order_id, day]));
  const dated = tips.map(({ order_id, tip_pence }) => ({ paid_on: paid.get(order_id) ?? date, tip_pence }));
  const lists = await findTipLists(database, store_id, [...new Set([date, ...paid.values()])]);
  const own = lists.find(({ day }) => day === date);
  const shared = shareTips(date, dated, lists);
  const proof = closed?.proof ?? null;
  return {
    ...{ store_id, date, currency, closed: proof !== null, signed: proof !== null && bookSigner.keys.length > 0 },
    ...{ tips_pence: shared.tips_pence, unshared_pence: shared.unshared_pence, list: own ? listView(own) : null },
    shares: sealTipShares(bookSigner, { store_id, store: code, date, currency }, shared, proof),
  };
};

/** Reads the current rows of a closed day, with the statement that was signed for them; or prints the day. */
export const readDayBook: PrintableOperation<typeof orders.readDayBook, ReportsContext> = async (
  { query: { store_id, date, format } },
  context,
) => {
  const { database } = context;
  const found = await findStatement(database, store_id, date);
  if (!found) throw new Problem('STORE_NOT_FOUND');
  const { statement, first_day } = found;
  if (!statement && format === 'pdf') throw notPrintable('is not closed yet, so it has no paper: ask again an hour after its end');
  if (!statement) return { store_id, date, number: null, signed: false, proof: null, first_day, rows: [] };
  const { number, proof, currency } = statement;
  const contents = (await readBookContents(database, statement)) ?? { moved: [], tips: [], figures: noFigures, items: [] };
  const rows = [...bookRows(contents, currency)];
  if (format === 'pdf') return await printDay(context, { store_id, date, proof, contents, rows });
  return { store_id, date, number, signed: !proof.endsWith('.'), proof, first_day, rows };
};

interface ClosedBook extends Pick<DayBook, 'store_id' | 'date' | 'rows'> {
  readonly proof: string;
  readonly contents: BookContents;
}

async function printDay(context: ReportsContext, { store_id, date, proof, contents, rows }: ClosedBook): Promise<Pdf> {
  const { name } = await mustFindStore(context, store_id);
  const read = readProof(proof);
  if (!read) throw notPrintable('has a proof that cannot be read: format=csv has its rows');
  const isAsSigned = String(rows.map((row) => hashText(hashedTextOf(row)))) === String(read.statement.rows);
  const paper = paperOf({ ...read, name, contents, isAsSigned, hash: hashText(proof), consoleUrl: context.consoleUrl });
  return await printPaper(`book-${date}`, paper);
}

const notPrintable = (why: string): Problem => new Problem('VALIDATION_FAILED', { message: `query.date: ${why}` });

export const readBookKeys: Operation<typeof orders.readBookKeys, ReportsContext> = async (_request, { bookSigner }) => ({
  keys: [...bookSigner.keys],
});

async function mustFindStore({ database, mode }: Context, id: string): Promise<ReportedStore> {
  const [store] = await findReportedStores(database, [id], mode);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  return store;
}

const listView = ({ day, version, entered_at, entered_by_id: id, entered_by_name: name }: TipList) => ({
  date: day,
  version,
  entered_at,
  entered_by: { id, name },
});

function storesOf(caller: Caller, storeId: string | undefined): readonly string[] {
  if (storeId !== undefined) return [storeId];
  const managed = [...caller.stores.keys()].filter((id) => caller.type === 'partner' || hasRole(caller, id, 'manager'));
  if (managed.length === 0)
    throw new Problem('INSUFFICIENT_ROLE', { message: 'This needs the role manager at a store; the token has it at none.' });
  return managed;
}

const lastClosed = ({ closed }: ReportedStore, to: string): string | null => closed && ([closed.day, to].toSorted()[0] ?? null);

function currencyOf(stores: readonly ReportedStore[], storeId: string | undefined): string {
  const [first] = stores;
  if (!first) throw new Problem('STORE_NOT_FOUND');
  const currencies = [...new Set(stores.map(({ currency }) => currency))].sort();
  if (storeId === undefined && currencies.length > 1)
    throw new Problem('VALIDATION_FAILED', {
      message: `query.store_id: is needed, because your stores have different currencies (${currencies.join(', ')})`,
    });
  return first.currency;
}

async function sumOpenDays(
  { database, now }: Context,
  { id, closed }: ReportedStore,
  from: string,
  to: string,
): Promise<readonly DaySums[]> {
  // In some time zone it is tomorrow already; later days have nothing.
  const tomorrow = new Date(now().getTime() + 86_400_000).toISOString().slice(0, 10);
  const open = daysBetween(from, to).filter((day) => day > (closed?.day ?? '') && day <= tomorrow);
  const sums: DaySums[] = [];
  for (const week of weeksOf(open)) {
    const rows = await readOpenRows(database, { storeId: id, closed, from: week[0] ?? from, to: week.at(-1) ?? to });
    const happened = new Set(rows.ledger.map(({ day }) => day));
    sums.push(...week.filter((day) => happened.has(day)).map((day) => sumDay(day, rows)));
  }
  return sums;
}

const balanceView = ({ compared_until, oldest_found_at, differences, difference_pence }: Awaited<ReturnType<typeof readComparison>>) => ({
  compared_until,
  agrees: compared_until === null ? null : differences === 0,
  agreed_at: compared_until === null ? null : (oldest_found_at ?? compared_until),
  differences,
  difference_pence,
});
