import { isDeepStrictEqual } from 'node:util';
import type { Report, ReportFigures } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { moveCursor } from '../../provider/tables.ts';
import { closeDays } from '../../reports/jobs.ts';
import { worker } from '../callers.ts';
import type { OpenStore, Running } from '../running.ts';

const dayMs = 86_400_000;

const Sums = z.object({
  paid: z.number(),
  gross: z.number(),
  tips: z.number(),
  items: z.number(),
  discounts: z.number(),
  refunded: z.number(),
  withdrawn: z.number(),
  returned: z.number(),
});

const sumsOf = ({ service }: Running, { id }: OpenStore) =>
  service.database.one(sql.type(Sums)`
    select count(*)::int as paid, coalesce(sum(o.total_pence), 0)::int as gross, coalesce(sum(o.tip_pence), 0)::int as tips,
      coalesce((select sum(l.quantity * l.unit_price_pence) from order_line l join orders f on f.id = l.order_id
        where f.store_id = ${id} and f.paid_at is not null), 0)::int as items,
      coalesce(sum(o.promo_discount_pence + o.voucher_discount_pence), 0)::int as discounts,
      coalesce((select sum(r.amount_pence) from refund r where r.store_id = ${id} and r.counted), 0)::int as refunded,
      coalesce((select -sum(l.amount_pence) from ledger l where l.store_id = ${id} and l.kind = 'dispute'), 0)::int as withdrawn,
      coalesce((select sum(l.amount_pence) from ledger l where l.store_id = ${id} and l.kind = 'dispute_returned'), 0)::int as returned
    from orders o where o.store_id = ${id} and o.parent_order_id is null and o.paid_at is not null`);

export async function wrongReports(running: Running, store: OpenStore): Promise<string[]> {
  const { clock, service } = running;
  const now = clock.now().getTime();
  const [from, to] = [now - 20 * dayMs, now + dayMs].map((at) => new Date(at).toISOString().slice(0, 10));
  const read = async (): Promise<Report> =>
    (await worker(running, store, 'merchant').call('GET', `/api/v1/orders/reports?store_id=${store.id}&from=${from}&to=${to}`)).body;
  const open = await read();
  const wrong = [...(await differencesFromOrders(running, store, open)), ...unequal(open)];
  await service.database.transaction((tx) => moveCursor(tx, 'movements', new Date(now + 3 * dayMs)));
  await closeDays({ ...service.context, now: () => new Date(now + 3 * dayMs) });
  const closed = await read();
  // A closed day has the states at its end; only an open day has current ones.
  const unlike = ({ total, items, days }: Report) => ({ total, items, days: days.map(({ closed: _closed, ...figures }) => figures) });
  if (!closed.days.every((day) => day.closed)) wrong.push(`the days of ${store.id} are not closed`);
  if (!isDeepStrictEqual(unlike(open), unlike(closed)))
    wrong.push(`the closed days of ${store.id} differ: ${JSON.stringify(open.total)} was ${JSON.stringify(closed.total)}`);
  return wrong;
}

async function differencesFromOrders(running: Running, store: OpenStore, { total }: Report): Promise<string[]> {
  const reported = {
    paid: total.orders.paid,
    gross: total.gross_pence,
    tips: total.tips.amount_pence,
    items: total.items_pence,
    discounts: total.discounts.amount_pence,
    refunded: total.refunds.amount_pence,
    withdrawn: total.disputes.withdrawn_pence,
    returned: total.disputes.returned_pence,
  };
  const sums = await sumsOf(running, store);
  return isDeepStrictEqual(reported, sums) ? [] : [`the report says ${JSON.stringify(reported)}, the orders ${JSON.stringify(sums)}`];
}

function unequal({ days, total }: Report): string[] {
  const wrong = (what: string, of: ReportFigures) => `${what}: ${JSON.stringify(of)}`;
  const faults = [...days, total].flatMap((of) => {
    const vat = of.vat.reduce((sum, { net_pence, vat_pence }) => sum + net_pence + vat_pence, 0);
    return [
      ...(of.items_pence - of.discounts.amount_pence + of.tips.amount_pence === of.gross_pence ? [] : [wrong('sold is not taken', of)]),
      ...(vat + of.tips.amount_pence - of.tips.refunded_pence === of.gross_pence - of.refunds.amount_pence
        ? []
        : [wrong('the VAT is not of what was sold and refunded', of)]),
    ];
  });
  const net = days.reduce((sum, { net_pence }) => sum + net_pence, 0);
  return net === total.net_pence ? faults : [...faults, wrong(`the days sum to ${net}`, total)];
}
