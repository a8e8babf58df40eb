import type { Operation, Transaction } from '@corner/chassis';
import { type loyalty, Problem, type RequestOf, stampUndone } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { lockCard, Standing, selectStanding } from '../tables/cards.ts';

type Asked = RequestOf<typeof loyalty.undoStamp>['body'];

/** Takes back a stamp the store granted and nothing has used. Undone already: nothing happens. */
export const undoStamp: Operation<typeof loyalty.undoStamp, Context> = async ({ body }, { database, now }) =>
  await database.transaction(async (tx) => {
    const card = await lockCard(tx, body.store_id, body.customer_id, now());
    if (!card) throw new Problem('STAMP_NOT_FOUND');
    const { undone, stampCount } = await tx.one(sql.prepared('undo-stamp', Standing.extend({ undone: z.boolean() }))`
      with undone as (
        update stamp set status = 'undone'
        where id = ${body.stamp_id} and store_id = ${body.store_id} and customer_id = ${body.customer_id}
          and source = 'hub' and status = 'approved' and voucher_id is null and not paid_debt
        returning id
      )
      select standing."stampCount", standing.debt, exists (select from undone) as undone
      from (${selectStanding(card, sql.fragment`-(select count(*) from undone)`)}) standing`);
    if (undone) await card.tellStamp(stampUndone, { stamp_id: body.stamp_id, source: 'hub', order_id: null, stamp_count: stampCount });
    else await seeItIsUndone(tx, body);
    return { undone: true, current_stamps: stampCount };
  });

const Granted = z.object({ source: z.string(), used: z.boolean() });

/** Throws why a stamp was not taken back, unless it had been already. */
async function seeItIsUndone(tx: Transaction, { store_id, customer_id, stamp_id }: Asked): Promise<void> {
  const stamp = await tx.maybeOne(sql.prepared('stamp-not-undone', Granted)`
    select source, voucher_id is not null or paid_debt as used
    from stamp where id = ${stamp_id} and store_id = ${store_id} and customer_id = ${customer_id}`);
  if (!stamp) throw new Problem('STAMP_NOT_FOUND');
  if (stamp.source !== 'hub') throw new Problem('STAMP_NOT_UNDOABLE');
  if (stamp.used) throw new Problem('STAMP_ALREADY_USED');
}
