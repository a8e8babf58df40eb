import { handleRpc } from '@corner/chassis';
import { dayOfMoney, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readDayOfMoney } from './tables.ts';

export const handleDayOfMoney = handleRpc(dayOfMoney, async ({ store_id, date }, { database }: Context) => {
  const day = await readDayOfMoney(database, store_id, date);
  if (!day) throw new Problem('STORE_NOT_FOUND');
  return { store_id, date, ...day, net: day.gross - day.refunds - day.fees - day.dispute_shares, entries: [...day.entries] };
});
