import type { EventTask, Queries, Signal, Transaction } from '@corner/chassis';
import { type DataOf, type EventOf, type multiStampConfirmed, type stampApproved, voucherMinted } from '@corner/contracts';
import { secretsEqual } from '../crypto.ts';
import { isSerial, type PassState, type VoucherState } from './rules.ts';
import { coalesceMs } from './tables/pass-updates.ts';
import { selectPass } from './tables/passes.ts';
import { type Card, upsertCards, upsertVoucher } from './tables/projections.ts';

/** Returns the pass that a device proves to hold by `Authorization: ApplePass <token>`; null, after the same time, for anything else. */
export async function authenticatePass(database: Queries, serial: string, authorization: string | undefined): Promise<PassState | null> {
  const pass = isSerial(serial) ? await selectPass(database, serial) : null;
  const token = /^ApplePass +(\S+) *$/.exec(authorization ?? '')?.[1] ?? '';
  const authentic = secretsEqual(token, pass?.authToken ?? placeholder);
  return authentic && pass ? pass : null;
}

const placeholder = 'x'.repeat(43);

export function cardOf({ data, sequence }: StampEvent | MultiStampEvent): Card | null {
  const { customer_id: customerId, store_id: storeId, stamp_count: stamps, goal } = data;
  return customerId ? { customerId, storeId, sequence, stamps, goal } : null;
}

/** For each card the event with the highest sequence wins. */
export async function updateCardPasses(tasks: readonly EventTask<Card | null>[], tx: Transaction, { passSignal }: Pushing): Promise<void> {
  const cards = tasks.flatMap(({ task }) => task ?? []);
  if (cards.length > 0) raiseForChanges(tx, await upsertCards(tx, cards), passSignal);
}

interface Pushing {
  readonly passSignal: Signal;
}
type StampEvent = Pick<EventOf<typeof stampApproved>, 'sequence'> & { readonly data: DataOf<typeof stampApproved> };
type MultiStampEvent = Pick<EventOf<typeof multiStampConfirmed>, 'sequence'> & { readonly data: DataOf<typeof multiStampConfirmed> };

/** Applies a voucher's state to its own pass and to the pass of its card. The event with the highest sequence wins. */
export async function updateVoucherPass(
  tx: Transaction,
  { type, data, sequence }: Pick<EventOf<typeof voucherMinted>, 'type' | 'sequence'> & { readonly data: DataOf<typeof voucherMinted> },
  state: VoucherState,
  signal: Signal,
): Promise<void> {
  const changed = await upsertVoucher(tx, {
    customerId: data.customer_id,
    storeId: data.store_id,
    sequence,
    voucherId: data.voucher_id,
    rewardTitle: data.reward_title,
    state,
    minted: type === voucherMinted.type,
  });
  raiseForChanges(tx, changed, signal);
}

export function raiseForChanges(tx: Transaction, passes: number, signal: Signal): void {
  if (passes > 0) tx.on('commit', () => signal.raiseAfter(coalesceMs));
}
