import { handleRpc } from '@corner/chassis';
import { beginErasure, eraseAgain, listErasures } from '@corner/contracts';
import { type Context, checkOnlyProducer } from '../context.ts';
import { certificateOf } from './rules.ts';
import { type ErasureRow, erasuresPage, findErasure, findErasureByReceipt, listErasures as readErasures } from './tables/erasures.ts';
import { eraseCustomer } from './transactions.ts';

export const handleBeginErasure = handleRpc(beginErasure, async ({ customer_id: customerId, by }, context: Context) => {
  checkOnlyProducer(context);
  const wanted = { customerId, receipt: context.newReceipt(), requestedBy: 'operator', byId: by, storeId: null } as const;
  return shown(await context.database.transaction((tx) => eraseCustomer(tx, wanted)));
});

export const handleListErasures = handleRpc(listErasures, async ({ of, all, after }, { database }: Context) => {
  if (of !== undefined) {
    const found = (await findErasure(database, of)) ?? (await findErasureByReceipt(database, of));
    return { erasures: found ? [shown(found)] : [], next: null };
  }
  const erasures = await readErasures(database, { after: after ?? null, all, since: null });
  return { erasures: erasures.map(shown), next: nextOf(erasures) };
});

export const handleEraseAgain = handleRpc(eraseAgain, async ({ since, after, by }, context: Context) => {
  checkOnlyProducer(context);
  const page = await readErasures(context.database, { after: after ?? null, all: true, since });
  const begun = page.filter(({ sequence }) => sequence > 0);
  for (const { customer_id: customerId, receipt, requested_by: requestedBy, sequence } of begun)
    await context.database.transaction((tx) =>
      eraseCustomer(tx, { customerId, receipt, requestedBy, byId: by, storeId: null, above: sequence }),
    );
  return { erased: begun.length, next: nextOf(page) };
});

const nextOf = (page: readonly ErasureRow[]): string | null => (page.length === erasuresPage ? (page.at(-1)?.customer_id ?? null) : null);

const shown = (erasure: ErasureRow) => ({
  customer_id: erasure.customer_id,
  receipt: erasure.receipt,
  certificate: certificateOf(erasure),
});
