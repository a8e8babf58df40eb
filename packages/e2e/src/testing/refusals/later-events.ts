import { randomUUID } from 'node:crypto';
import { connectNats } from '@corner/nats';
import { applyDirectory } from '@corner/operator';
import { stores } from '@corner/sandbox/demo';
import { registerAccounts } from '@corner/sandbox/payments';
import { until } from '@corner/testkit';
import { freshTap } from '../loyalty-scenario.ts';
import { firstEvents, type SeenEvents } from '../recorded-examples.ts';
import { onDatabase } from '../settled.ts';
import { restrictedAccount } from './odd-stores.ts';
import type { RefusalRun } from './refusal-run.ts';

export async function restrictAccount(run: RefusalRun): Promise<void> {
  const { refused, simulate, stores, environment } = run;
  const { id: store_id, code: store_code } = stores.restricted;
  await simulate('restrict-account', { account: restrictedAccount });
  await untilPublished(run, ['store.account_changed']);
  await refused('createOrder', 'STORE_NOT_ACCEPTING_ORDERS', { with: { store_id, store_code } });
  await onDatabase(environment, async (client) => {
    const noted = () => client.query('select from orders.refusal where store_id = $1', [store_id]);
    await until(async () => (await noted()).rowCount, { describe: 'the refusal to be noted' });
  });
}

export async function openAccount({ done, stores }: RefusalRun): Promise<void> {
  const at = { with: { store_id: stores.opening.id } };
  const { url = '' } = await done('linkAccount', at);
  const visit = await fetch(url, { redirect: 'manual' });
  const given = { 'business_profile.name': 'Corner opening', 'individual.last_name': 'Baker', external_account: 'GB00TEST' };
  const page = new URL(visit.headers.get('location') ?? '', url);
  await fetch(page, { method: 'POST', body: new URLSearchParams(given), redirect: 'manual' });
  await done('readAccount', at);
}

export async function endLate({ done, paidOrder, changeRow }: RefusalRun): Promise<void> {
  const { order_id = '' } = await done('createOrder');
  await changeRow(`update orders.orders set pay_until = now() - interval '1 second' where id = $1`, order_id);
  const { orderId } = await paidOrder();
  for (const to_status of ['preparing', 'ready']) await done('advanceFulfilment', { with: { orderId, to_status } });
  const yesterday = `now() - interval '1 day'`;
  await changeRow(
    `update orders.orders set ready_at = ${yesterday}, requested_collection_at = ${yesterday}, look_at = now() where id = $1`,
    orderId,
  );
  await done('refundOrder', { with: { orderId: (await paidOrder({}, 'pm_card_refundFail')).orderId } });
}

export async function tapAfterSale({ done, newCustomer }: RefusalRun): Promise<void> {
  await done('sellAtCounter');
  const { token } = await newCustomer();
  const { code } = await done('generateStampCode', { token, with: { ...freshTap() } });
  await done('redeemStampCode', { token, with: { code } });
}

export async function changeMemberships({ environment }: RefusalRun): Promise<void> {
  const [goesOn, ends] = [randomUUID(), randomUUID()];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const member = (id: string, current_period_end: string | null) => ({
    id,
    memberships:
      current_period_end === null ? [] : [{ store_id: stores.coffee.id, status: 'active', plan_name: 'Regulars', current_period_end }],
  });
  const connection = await connectNats(environment.system.natsUrl, 'test');
  for (const customers of [
    [member(goesOn, null), member(ends, null)],
    [member(goesOn, inDays(3)), member(ends, inDays(3))],
    [member(goesOn, inDays(6)), member(ends, null)],
  ])
    await applyDirectory({ customers }, { connection });
  await connection.close();
}

export const registerOddAccounts = ({ environment }: RefusalRun): Promise<void> =>
  registerAccounts(environment.system.paymentsUrl ?? '', [restrictedAccount]);

/** A process claims due jobs when it starts, so both are restarted. */
export async function runJobsNow({ environment }: RefusalRun): Promise<void> {
  const { orders, loyalty } = environment.system.services;
  await onDatabase(environment, async (client) => {
    for (const { name } of [orders, loyalty]) await client.query(`update ${name}.job set next_at = now()`);
  });
  await Promise.all([orders, loyalty].map((service) => service.restart()));
}

export async function untilPublished({ environment }: RefusalRun, types: readonly string[]): Promise<SeenEvents> {
  const missing = async () => {
    const seen = await firstEvents(environment.system);
    return types.filter((type) => !(type in seen));
  };
  await until(async () => (await missing()).length === 0, { describe: `events: ${types.join(', ')}` }).catch(async (cause) => {
    throw new Error(`no event of these types was published: ${await missing()}`, { cause });
  });
  return await firstEvents(environment.system);
}
