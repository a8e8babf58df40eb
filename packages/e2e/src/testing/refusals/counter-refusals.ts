import { people } from '@corner/sandbox/demo';
import { basketsOfPace, basketsRefused } from './order-refusals.ts';
import { type RefusalRun, unknownId } from './refusal-run.ts';

/** A sale is not refused so, or only a partner's is. */
const refusedElsewhere: ReadonlySet<string> = new Set([
  'STORE_CODE_MISMATCH',
  'AMOUNT_BELOW_MINIMUM',
  'STORE_CLOSED',
  'NO_CAPACITY_TODAY',
  'READY_LATER',
]);

export async function refuseAtCounter(run: RefusalRun): Promise<void> {
  const { refused, done, stores, slots, environment } = run;
  for (const [code, other] of basketsRefused(stores)) {
    const { store_code: _, ...sale } = other as { readonly store_code?: string; readonly voucher_id?: string };
    if (!refusedElsewhere.has(code))
      await refused('sellAtCounter', code, {
        with: { ...sale, ...(sale.voucher_id ? { customer: people.ana.id } : {}), tenders: undefined },
      });
  }
  const partner = { typ: 'partner', sub: people.cy.id, scope: 'orders:create', stores: [stores.closed.id, stores.paced.id] } as const;
  const token = await environment.system.tokens.token(partner);
  await refused('sellAtCounter', 'STORE_CLOSED', { token, with: { store_id: stores.closed.id } });
  for (const [code, { store_code: _, ...sale }] of basketsOfPace(stores))
    await refused('sellAtCounter', code, { token, with: { ...sale, tenders: undefined } });
  const { id: store_id } = stores.shop;
  const scheduled = (slot_id: string) => ({ store_id, collection_mode: 'scheduled', slot_id });
  await refused('sellAtCounter', 'SLOT_CLOSED', { with: scheduled(slots.shut) });
  await refused('sellAtCounter', 'SLOT_JUST_FILLED', { with: scheduled(slots.full) });
  const longBefore = { requested_collection_at: new Date().toISOString() };
  await refused('sellAtCounter', 'SLOT_MISMATCH', { with: { ...scheduled(slots.booked), ...longBefore } });
  await refused('sellAtCounter', 'PROMO_LIMIT_REACHED', { with: { store_id, promo_code: 'ONCE' } });
  await refused('sellAtCounter', 'CUSTOMER_NOT_FOUND', { with: { customer: 'no.one@example.test' } });
  await refused('sellAtCounter', 'TENDERS_MISMATCH', { with: { tenders: [{ kind: 'cash', amount_pence: 1 }] } });
  await refuseTenders(run);
  await refused('closeDrawer', 'DRAWER_NOT_OPEN');
  await refused('payOutOfDrawer', 'DRAWER_NOT_OPEN');
  await done('openDrawer');
  await refused('openDrawer', 'DRAWER_OPEN');
  await done('closeDrawer');
}

async function refuseTenders({ refused, done }: RefusalRun): Promise<void> {
  const { order_id } = await done('createOrder');
  await refused('payByTenders', 'TENDERS_NOT_APPLICABLE', { with: { orderId: order_id } });
  const open = async () => ((await done('sellAtCounter', { with: { tenders: undefined } })).order as unknown as { id: string }).id;
  const orderId = await open();
  await refused('payByTenders', 'TENDERS_MISMATCH', { with: { orderId, tenders: [{ kind: 'cash', amount_pence: 1 }] } });
  await done('payByTenders', { with: { orderId, tenders: [{ kind: 'cash' }] } });
  await refused('payByTenders', 'ORDER_ALREADY_PAID', { with: { orderId } });
  const ended = await open();
  await done('setBusinessStatus', { with: { orderId: ended, status: 'cancelled' } });
  await refused('payByTenders', 'ORDER_TERMINAL', { with: { orderId: ended } });
  await refused('payByTenders', 'ORDER_NOT_FOUND', { with: { orderId: unknownId } });
}
