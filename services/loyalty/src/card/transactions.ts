import { randomInt } from 'node:crypto';
import { type Caller, type EventTask, hasRole, type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import {
  type ChangedBy,
  customerDataRead,
  customerSeen,
  type DataInputOf,
  type DataRead,
  type EventContract,
  multiStampConfirmed,
  Problem,
  type StampData,
  stampApproved,
  tapPresented,
  type VoucherData,
  voucherExpiring,
  voucherMinted,
} from '@corner/contracts';
import { countsAfterEach, evidenceOf, voucherCode, vouchersDue } from './rules.ts';
import { insertCardEvents, lockCardRow, type Programme, upsertVisits } from './tables/cards.ts';
import type { CardKey, CardOf, CustomerAt } from './tables/programmes.ts';
import type { CardBalance } from './tables/stamps.ts';
import { type ExpiringVoucher, insertVoucher, payDebt, type Voucher } from './tables/vouchers.ts';

/**
 * Locks the card of a customer at a store, creating it first if it does not exist, runs `work`, and publishes the events that `work` added
 * to the card, with one statement. The card is that of the store's programme, or the one that `of` is on. With `quota` it locks the
 * programme's quota before the card. `work` gets null for a store without a programme, or with one the directory has not published yet:
 * nothing is earned there.
 */
export async function changeCard<Result>(
  tx: Transaction,
  { storeId, customerId, of }: CustomerAt & { readonly of?: CardOf },
  work: (card: LockedCard | null, key: CardAt) => Promise<Result>,
  { quota = false }: { readonly quota?: boolean } = {},
): Promise<Result> {
  const { programmeId, version, storeVersion, programme } = await lockCardRow(tx, { storeId, customerId, of }, { quota });
  const key = { programmeId, storeId, customerId };
  const seenAt = storeVersion === 0 ? storeId : null;
  const events = cardEvents(key, version);
  const result = await work(programme && { ...programme, ...key, events }, key);
  const seen = seenAt === null ? [] : [customerSeenAt(key)];
  await insertCardEvents(tx, key, [...events.entries, ...seen], seenAt);
  return result;
}

export interface CardAt extends CardKey, CustomerAt {}

export interface LockedCard extends Programme, CardAt {
  readonly events: CardEvents;
}

/** The first event of a customer at a store that is not the home of its programme. It has a number of its own, apart from the card's. */
export const customerSeenAt = ({ storeId, customerId }: CustomerAt): OutboxEntry =>
  outboxEntry(customerSeen, {
    aggregateId: `${storeId}:${customerId}`,
    sequence: 1,
    storeId,
    customerId,
    data: { store_id: storeId, customer_id: customerId },
  });

/**
 * Collects the events of a change of a card, to be published with the change. They are of the programme's home store, and their numbers
 * follow the card's version. A card at version 0 is new: its first event is customer.seen. `storeId`: where the stamps are collected.
 */
export function cardEvents({ programmeId, customerId, storeId }: CardAt, version: number): CardEvents {
  const entries: OutboxEntry[] = [];
  const ids = { store_id: programmeId, customer_id: customerId };
  const add = <E extends EventContract>(event: E, data: DataInputOf<E>): void => {
    const sequence = version + entries.length + 1;
    entries.push(outboxEntry(event, { aggregateId: `${programmeId}:${customerId}`, sequence, storeId: programmeId, customerId, data }));
  };
  if (version === 0) add(customerSeen, ids);
  return {
    entries,
    addStamp: (event, { stampId, source, reason, orderId = null, stampCount, goal, byId = null, at = storeId }) =>
      add(event, {
        ...ids,
        stamp_id: stampId,
        source,
        order_id: orderId,
        stamp_count: stampCount,
        goal,
        by_id: byId,
        evidence: event === stampApproved ? evidenceOf({ source, reason, byId }) : null,
        at_store_id: at === programmeId ? null : at,
      }),
    addVoucher: (event, { id, code, reward_title }, orderId, { byId = null, byImport = false } = {}) =>
      add(event, { ...ids, voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: orderId, by_id: byId, by_import: byImport }),
    addVoucherExpiring: ({ id, code, reward_title, expires_at }) =>
      add(voucherExpiring, { ...ids, voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: null, expires_at }),
    addTap: (stampId, at) => add(tapPresented, { store_id: storeId, customer_id: customerId, stamp_id: stampId, at }),
    addMultiStamp: (data) => add(multiStampConfirmed, { ...ids, ...data }),
  };
}

/**
 * `entries`: the events so far, in their order. `orderId`: the order that caused a change, or null. `byId`: the person at the store who
 * made it. `byImport`: imported stamps did. Moments are ISO 8601.
 */
interface CardEvents {
  readonly entries: readonly OutboxEntry[];
  addStamp(event: EventContract<typeof StampData>, stamp: StampChange): void;
  addVoucher(
    event: EventContract<typeof VoucherData>,
    voucher: Voucher,
    orderId: string | null,
    by?: { readonly byId?: string; readonly byImport?: boolean },
  ): void;
  addVoucherExpiring(voucher: ExpiringVoucher): void;
  addTap(stampId: string, at: string): void;
  addMultiStamp(data: Pick<DataInputOf<typeof multiStampConfirmed>, 'request_id' | 'stamps' | 'stamp_count' | 'goal' | 'by_id'>): void;
}

/**
 * A change of a stamp, and the card's count and goal after it. `reason`: why it counts at once. `orderId`: the order that earned it.
 * `byId`: the person at the store who made the change. `at`: the store where it is collected, if that differs within the change.
 */
interface StampChange {
  readonly stampId: string;
  readonly source: string;
  readonly reason?: string | undefined;
  readonly orderId?: string;
  readonly byId?: string | null;
  readonly at?: string;
  readonly stampCount: number;
  readonly goal: number;
}

/** Publishes stamps that count from now on, then uses the card's stamps. `balance` is the card's balance with them. */
export async function countStamps(tx: Transaction, card: LockedCard, stamps: ApprovedStamps, balance: CardBalance): Promise<StampsUsed> {
  const { ids, ...origin } = stamps;
  const counts = countsAfterEach(balance.stampCount, ids.length);
  for (const [index, stampId] of ids.entries())
    card.events.addStamp(stampApproved, { ...origin, stampId, stampCount: counts[index] ?? 0, goal: card.goal });
  return await useStamps(tx, card, balance, { byImport: origin.source === 'import' });
}

/** Uses a card's unused stamps: pays its debt, then mints a voucher each time the rest reaches the goal. The oldest are used first. */
export async function useStamps(
  tx: Transaction,
  card: LockedCard,
  balance: CardBalance,
  { byImport = false }: { readonly byImport?: boolean } = {},
): Promise<StampsUsed> {
  if (balance.debt > 0) await payDebt(tx, card);
  const { vouchers, stampCount } = vouchersDue(balance.stampCount, card.goal);
  const minted: MintedVoucher[] = [];
  for (let n = 0; n < vouchers; n += 1) {
    const voucher = { id: tx.newId(), code: voucherCode(randomInt) };
    await insertVoucher(tx, card, voucher);
    card.events.addVoucher(voucherMinted, { ...voucher, reward_title: card.reward_title }, null, { byImport });
    minted.push(voucher);
  }
  return { minted, stampCount };
}

/** Stamps that count from now on, all from one source. `reason` is absent where a person or an order approved them. */
interface ApprovedStamps {
  readonly ids: readonly string[];
  readonly source: string;
  readonly reason?: string | undefined;
  readonly orderId?: string;
  readonly byId?: string | null;
}

export interface MintedVoucher {
  readonly id: string;
  readonly code: string;
}

export interface StampsUsed {
  readonly minted: readonly MintedVoucher[];
  readonly stampCount: number;
}

/** Records visits of customers that change nothing else of their cards. A guest has no card. */
export async function recordVisits(visits: readonly EventTask<Visit>[], tx: Transaction): Promise<void> {
  const ofCustomers = visits.flatMap(({ task: { store_id: storeId, customer_id: customerId, at }, within }) =>
    customerId === null ? [] : [{ storeId, customerId, at, within }],
  );
  if (ofCustomers.length === 0) return;
  for (const key of await upsertVisits(tx, ofCustomers)) {
    const first = ofCustomers.find(({ storeId, customerId }) => storeId === key.storeId && customerId === key.customerId);
    const ownCard = { programmeId: key.storeId, customerId: key.customerId };
    await first?.within(() => insertCardEvents(tx, ownCard, [customerSeenAt(key)]));
  }
}

export const recordVisit = (tx: Transaction, { storeId, customerId }: CustomerAt, at: string): Promise<void> =>
  recordVisits([{ task: { store_id: storeId, customer_id: customerId, at }, within: (work) => work() }], tx);

/** `customer_id`: null for a guest. `at`: ISO 8601. */
interface Visit {
  readonly store_id: string;
  readonly customer_id: string | null;
  readonly at: string;
}

/**
 * Returns the event that a person of a store read data of customers. The reading statement publishes it, so every read is recorded. Its
 * envelope names neither store nor customer: it changes nothing for the consumers that follow them.
 */
export const dataRead = (
  { type, id: callerId }: Pick<Caller, 'type' | 'id'>,
  { id, storeId, customerIds, what, at }: ReadOfCustomers,
): OutboxEntry =>
  outboxEntry(customerDataRead, {
    aggregateId: id,
    sequence: 1,
    data: {
      by: { kind: type === 'staff' ? 'staff' : 'merchant', id: callerId },
      store_id: storeId,
      customer_ids: [...customerIds],
      what,
      at: at.toISOString(),
    },
  });

/** Someone at a store who gives a customer something. `owns`: they may give it to themselves, as the store's owner may. */
export interface Giver extends ChangedBy {
  readonly owns: boolean;
}

export const giverOf = (caller: Caller, storeId: string): Giver => ({
  id: caller.id,
  name: caller.name,
  owns: hasRole(caller, storeId, 'owner'),
});

/** Returns the giver for the record. Throws INSUFFICIENT_ROLE for staff who are that customer. */
export function otherThan(customerId: string | null, { id, name, owns }: Giver): ChangedBy {
  if (!owns && id.toLowerCase() === customerId)
    throw new Problem('INSUFFICIENT_ROLE', { message: 'This card is your own: someone else at the store has to do it, or its owner.' });
  return { id, name };
}

interface ReadOfCustomers {
  readonly id: string;
  readonly storeId: string;
  readonly customerIds: readonly string[];
  readonly what: DataRead;
  readonly at: Date;
}
