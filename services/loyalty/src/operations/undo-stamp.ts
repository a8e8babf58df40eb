import type { Operation } from '@corner/chassis';
import { type loyalty, Problem, stampUndone } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { lockCard, standingOf } from '../tables/cards.ts';

const Granted = z.object({ status: z.string(), source: z.string(), used: z.boolean() });

/** Takes back a stamp the store granted and nothing has used. Undone already: nothing happens. */
export const undoStamp: Operation<typeof loyalty.undoStamp, Context> = async ({ body }, { database, now }) =>
  await database.transaction(async (tx) => {
    const card = await lockCard(tx, body.store_id, body.customer_id, now());
    const stamp = await tx.maybeOne(sql.prepared('stamp-to-undo', Granted)`
      select status, source, voucher_id is not null or paid_debt as used
      from stamp where id = ${body.stamp_id} and store_id = ${body.store_id} and customer_id = ${body.customer_id}`);
    if (!card || !stamp) throw new Problem('STAMP_NOT_FOUND');
    if (stamp.source !== 'hub') throw new Problem('STAMP_NOT_UNDOABLE');
    if (stamp.used) throw new Problem('STAMP_ALREADY_USED');
    if (stamp.status !== 'approved') return { undone: true, current_stamps: (await standingOf(tx, card)).stampCount };
    await tx.query(sql.prepared('undo-stamp', z.object({}))`update stamp set status = 'undone' where id = ${body.stamp_id}`);
    const { stampCount } = await standingOf(tx, card);
    await card.tellStamp(stampUndone, { stamp_id: body.stamp_id, source: stamp.source, order_id: null, stamp_count: stampCount });
    return { undone: true, current_stamps: stampCount };
  });
