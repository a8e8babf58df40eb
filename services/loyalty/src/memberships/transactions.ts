import { derivedUuid, type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import {
  type DataOf,
  type directoryCustomer,
  type EventContract,
  type MembershipData,
  membershipBegun,
  membershipEnded,
  membershipEnding,
  membershipRenewed,
} from '@corner/contracts';
import type { CustomerAt } from '../card/tables/programmes.ts';
import { insertStamps } from '../card/tables/stamps.ts';
import { changeCard, countStamps } from '../card/transactions.ts';
import { dueAt, type MembershipChange, membershipChange } from './rules.ts';
import { hasStampOf, lockMembership, lockMemberships, type Membership, rewardsMemberships, saveMembership } from './tables.ts';

type Snapshot = DataOf<typeof directoryCustomer>;

/**
 * Publishes what a customer's snapshot changes of their memberships, and stamps each new period where the programme rewards it. A
 * membership in the customer's `first` snapshot began before, so nothing is published for it.
 */
export async function applyMemberships(tx: Transaction, { id: customerId, version, memberships }: Snapshot, first: boolean): Promise<void> {
  const said = first ? [] : await lockMemberships(tx, customerId);
  if (said.length + memberships.length === 0) return;
  const storeIds = new Set([...said.map(({ store_id }) => store_id), ...memberships.map(({ store_id }) => store_id)]);
  for (const storeId of [...storeIds].sort()) {
    const before = said.find(({ store_id }) => store_id === storeId) ?? null;
    const given = memberships.find(({ store_id }) => store_id === storeId) ?? null;
    if (before === null || before.version < version) await applyMembership(tx, { storeId, customerId }, { before, given, version, first });
  }
}

async function applyMembership(tx: Transaction, key: CustomerAt, { before, given, version, first }: Comparison): Promise<void> {
  const endsAt = given?.current_period_end ?? null;
  const asGiven = given && { status: given.status, endsAt: instantOrNull(endsAt) };
  const asSaid = before && { active: before.active, endsAt: instantOrNull(before.current_period_end) };
  const change = membershipChange(asSaid, asGiven, tx.now.getTime());
  if (change === null && before === null) return;
  const after = {
    ...rowOf(key, before),
    version,
    active: change === null ? (before?.active ?? false) : change !== 'ended',
    plan_name: given?.plan_name ?? before?.plan_name ?? null,
    current_period_end: given ? endsAt : (before?.current_period_end ?? null),
    event_sequence: (before?.event_sequence ?? 0) + (change === null || first ? 0 : 1),
  };
  await saveMembership(tx, after, change && !first ? eventOf(tx, eventsOf[change], after) : null);
  if (first) return;
  if (change === 'begun' || change === 'renewed') await stampPeriod(tx, key, after);
}

const eventsOf: Readonly<Record<MembershipChange, EventContract<typeof MembershipData>>> = {
  begun: membershipBegun,
  renewed: membershipRenewed,
  ended: membershipEnded,
};

/** Publishes that a membership ends soon, once for each period, or that it has ended. Checks again under its lock. */
export async function applyTime(tx: Transaction, key: CustomerAt): Promise<void> {
  const membership = await lockMembership(tx, key);
  const { endsBy, endedBy } = dueAt(tx.now.getTime());
  const endsAt = instantOrNull(membership?.current_period_end ?? null);
  if (!membership?.active || endsAt === null || endsAt > endsBy.getTime()) return;
  const ended = endsAt <= endedBy.getTime();
  if (!ended && membership.ending_said_for === membership.current_period_end) return;
  const after = {
    ...membership,
    active: !ended,
    ending_said_for: membership.current_period_end,
    event_sequence: membership.event_sequence + 1,
  };
  await saveMembership(tx, after, eventOf(tx, ended ? membershipEnded : membershipEnding, after));
}

/** A period earns one stamp, however many times its snapshot comes: its reference derives from the period. */
async function stampPeriod(
  tx: Transaction,
  { storeId, customerId }: CustomerAt,
  { current_period_end, version }: Membership,
): Promise<void> {
  if (!(await rewardsMemberships(tx, storeId))) return;
  const ref = derivedUuid(`membership:${storeId}:${customerId}:${instantOrNull(current_period_end) ?? `v${version}`}`);
  await changeCard(tx, { storeId, customerId }, async (card) => {
    if (!card?.enabled || card.settings.driver !== 'membership' || (await hasStampOf(tx, ref))) return;
    const id = tx.newId();
    // No visit: it opens no contact data, and the day of the last visit stays.
    const stamp = { id, approved: true, source: 'membership', collectedAt: tx.now, visitRef: ref };
    const balance = await insertStamps(tx, card, [stamp], 'membership');
    await countStamps(tx, card, { ids: [id], source: 'membership' }, balance);
  });
}

const rowOf = ({ storeId, customerId }: CustomerAt, before: Membership | null) => ({
  store_id: storeId,
  customer_id: customerId,
  ending_said_for: before?.ending_said_for ?? null,
});

const instantOrNull = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

const eventOf = (tx: Transaction, event: EventContract<typeof MembershipData>, membership: Membership): OutboxEntry => {
  const { store_id, customer_id, plan_name, current_period_end, event_sequence } = membership;
  return outboxEntry(event, {
    aggregateId: `membership:${store_id}:${customer_id}`,
    sequence: event_sequence,
    storeId: store_id,
    customerId: customer_id,
    data: { store_id, customer_id, plan_name, current_period_end, at: tx.now.toISOString() },
  });
};

interface Comparison {
  readonly before: Membership | null;
  readonly given: Snapshot['memberships'][number] | null;
  readonly version: number;
  readonly first: boolean;
}
