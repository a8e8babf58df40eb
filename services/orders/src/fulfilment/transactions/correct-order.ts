import type { Transaction } from '@corner/chassis';
import { type EarlierStatus, Problem } from '@corner/contracts';
import { collectionCodes } from '../../order/crypto.ts';
import { correctionMove } from '../../order/rules/corrections.ts';
import { orderNotPaid } from '../../order/rules/status.ts';
import { lockFamily, type OrderFamily, type OrderRow } from '../../order/tables/orders.ts';
import { keepOrRenewCode } from '../tables.ts';
import { moveOrder } from './move-order.ts';

export interface Correction {
  readonly storeId: string;
  readonly orderId: string;
  readonly to: EarlierStatus;
  readonly reason: string;
  readonly by: { readonly id: string; readonly name: string | null };
}

/**
 * Moves an order back to the status before one that was set by mistake, and returns it. Its current status changes nothing. It gets a new
 * collection code when another live order has taken its own. Throws ORDER_NOT_FOUND, ORDER_NOT_PAID and INVALID_TRANSITION.
 */
export async function correctOrder(tx: Transaction, { storeId, orderId, to, reason, by }: Correction): Promise<OrderRow> {
  const found = await lockFamily(tx, storeId, orderId);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  const { main } = found;
  if (main.payment_status !== 'paid') throw orderNotPaid(main);
  const move = correctionMove(found.named, main, to);
  if (!move) return found.named;
  const family = found.named.business_status === 'fulfilled' ? await withFreeCode(tx, found) : found;
  return await moveOrder(tx, family, move, { actor: by.name, actorId: by.id, note: reason });
}

async function withFreeCode(tx: Transaction, family: OrderFamily): Promise<OrderFamily> {
  const { named, main, legs } = family;
  if (named.collection_code === null) return family;
  const code = await keepOrRenewCode(tx, named, collectionCodes(freshCodes));
  const renewed = { ...named, collection_code: code };
  return { named: renewed, main: main === named ? renewed : main, legs: legs.map((leg) => (leg === named ? renewed : leg)) };
}

const freshCodes = 4;
