import type { Queries, Transaction } from '@corner/chassis';
import { type ChangedBy, Problem } from '@corner/contracts';
import { monthlyQuotaExceeded } from '../card/rules.ts';
import { findStore } from '../card/tables/directory.ts';
import type { CustomerAt } from '../card/tables/programmes.ts';
import { insertStamps, readStampUsage } from '../card/tables/stamps.ts';
import { changeCard, countStamps, type LockedCard } from '../card/transactions.ts';
import { type Tap, useTap } from '../codes-and-taps/index.ts';
import { type StaffCredential, staffCardHash } from './crypto.ts';
import {
  ceilingExceeded,
  decideConfirmation,
  lookbackSeconds,
  maxStampsPerRequest,
  sessionIsValid,
  storeRefusal,
  windowSeconds,
} from './rules.ts';
import {
  findSessionOwner,
  findStaffByCard,
  lockRequest,
  type MultiStampRequest,
  markConfirmed,
  multiStampsThisMonth,
  openRequest,
} from './tables.ts';

/**
 * Opens a request for several stamps, which staff confirm within a minute. A customer has one pending request per store. Throws
 * STORE_NOT_FOUND, MULTI_STAMP_DISABLED, PLAN_NOT_ENTITLED, STORE_FROZEN, VALIDATION_FAILED for too many stamps,
 * MULTI_STAMP_MONTHLY_CEILING, MONTHLY_LIMIT_REACHED and MULTI_STAMP_PENDING.
 */
export async function requestMultiStamp(
  tx: Transaction,
  { storeId, customerId, stamps }: { readonly storeId: string; readonly customerId: string; readonly stamps: number },
): Promise<OpenedRequest> {
  const store = await findStore(tx, storeId);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const refusal = storeRefusal(store);
  if (refusal || !store.multiStamp) throw new Problem(refusal ?? 'MULTI_STAMP_DISABLED');
  const max = maxStampsPerRequest(store);
  if (stamps > max) throw new Problem('VALIDATION_FAILED', { message: `body.requested_stamps: must be 1 to ${max} here` });
  const card = { programmeId: store.programmeId, storeId: store.id, customerId };
  const confirmed = await multiStampsThisMonth(tx, card, store.timeZone);
  if (ceilingExceeded(confirmed, stamps, store.multiStamp.monthly_ceiling)) throw new Problem('MULTI_STAMP_MONTHLY_CEILING');
  // Checked again under the locks when staff confirm it: this spares them a tap that cannot succeed.
  const limits = { time_zone: store.timeZone, monthly_stamp_quota: store.monthlyStampQuota };
  const usage = await readStampUsage(tx, { ...card, ...limits }, { collectedAt: tx.now, now: tx.now });
  if (monthlyQuotaExceeded(limits, usage, stamps)) throw new Problem('MONTHLY_LIMIT_REACHED');
  const id = tx.newId();
  const expiresAt = await openRequest(tx, {
    id,
    storeId: store.id,
    customerId,
    stamps,
    expiresAt: new Date(tx.now.getTime() + windowSeconds * 1_000),
  });
  if (expiresAt === null) throw new Problem('MULTI_STAMP_PENDING');
  return { id, expiresAt };
}

interface OpenedRequest {
  readonly id: string;
  readonly expiresAt: string;
}

/**
 * Confirms a request: its stamps, the vouchers they complete and the use of the tap, together. A confirmation, a cancellation and an
 * expiry at the same time wait for the request's row: the first one wins. Throws NO_PENDING_REQUEST, MULTI_STAMP_EXPIRED,
 * MULTI_STAMP_MONTHLY_CEILING, MONTHLY_LIMIT_REACHED and NFC_TAP_REPLAYED.
 */
export async function confirmMultiStamp(tx: Transaction, confirmation: Confirmation): Promise<Confirmed> {
  return await changeCard(tx, confirmation, (card) => confirm(tx, card, confirmation), { quota: true });
}

async function confirm(tx: Transaction, card: LockedCard | null, confirmation: Confirmation): Promise<Confirmed> {
  const since = new Date(tx.now.getTime() - lookbackSeconds * 1_000);
  const request = await lockRequest(tx, confirmation, { requestId: confirmation.requestId, since });
  if (!card || !request) throw new Problem('NO_PENDING_REQUEST');
  const decision = decideConfirmation(request, tx.now.getTime());
  switch (decision.step) {
    case 'refuse':
      throw new Problem(decision.problem);
    case 'replay':
      return replay(request);
    case 'confirm':
      await checkLimits(tx, card, request);
      if (confirmation.tap && !(await useTap(tx, confirmation.tap))) throw new Problem('NFC_TAP_REPLAYED');
      return await stampCard(tx, card, request, confirmation);
    default:
      return decision satisfies never;
  }
}

const replay = ({ stamps, stampCount, goal, voucherIds }: MultiStampRequest): Confirmed => ({
  stamps,
  stampCount: stampCount ?? 0,
  goal: goal ?? 0,
  voucherIds: voucherIds ?? [],
  replayed: true,
});

async function checkLimits(tx: Transaction, card: LockedCard, { stamps }: MultiStampRequest): Promise<void> {
  const confirmed = await multiStampsThisMonth(tx, card, card.time_zone);
  if (ceilingExceeded(confirmed, stamps, card.settings.multi_stamp.monthly_ceiling)) throw new Problem('MULTI_STAMP_MONTHLY_CEILING');
  const usage = await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now });
  if (monthlyQuotaExceeded(card, usage, stamps)) throw new Problem('MONTHLY_LIMIT_REACHED');
}

async function stampCard(
  tx: Transaction,
  card: LockedCard,
  { id, stamps }: MultiStampRequest,
  { by, reason }: Confirmation,
): Promise<Confirmed> {
  const stampIds = Array.from({ length: stamps }, () => tx.newId());
  const stamp = { approved: true, source: 'multi_stamp', reason, collectedAt: tx.now, requestId: id, by };
  const balance = await insertStamps(
    tx,
    card,
    stampIds.map((stampId) => ({ ...stamp, id: stampId })),
    'customer',
  );
  const { minted, stampCount } = await countStamps(tx, card, { ids: stampIds, source: 'multi_stamp', reason, byId: by.id }, balance);
  const voucherIds = minted.map((voucher) => voucher.id);
  const { goal } = card;
  await markConfirmed(tx, card, { id, by, stamps, stampCount, goal, voucherIds });
  card.events.addMultiStamp({ request_id: id, stamps, stamp_count: stampCount, goal, by_id: by.id });
  return { stamps, stampCount, goal, voucherIds, replayed: false };
}

interface Confirmation extends CustomerAt {
  /** Null: the customer's newest request. */
  readonly requestId: string | null;
  readonly by: ChangedBy;
  readonly reason: string;
  readonly tap: Tap | null;
}

interface Confirmed {
  readonly stamps: number;
  readonly stampCount: number;
  readonly goal: number;
  readonly voucherIds: readonly string[];
  readonly replayed: boolean;
}

/**
 * Returns the member of staff whose credential is valid at a store. Throws STAFF_CREDENTIAL_INVALID for a credential that is
 * unknown, revoked or of another store, without saying which.
 */
export async function admitStaff(queries: Queries, storeId: string, credential: StaffCredential): Promise<ChangedBy> {
  const member =
    credential.kind === 'card' ? await admitCard(queries, storeId, credential) : await admitSession(queries, storeId, credential);
  if (member === null) throw new Problem('STAFF_CREDENTIAL_INVALID');
  return { id: member.id, name: member.name };
}

const admitCard = async (queries: Queries, storeId: string, { tokenId }: Of<'card'>): Promise<ChangedBy | null> =>
  await findStaffByCard(queries, staffCardHash(storeId, tokenId));

async function admitSession(queries: Queries, storeId: string, session: Of<'session'>): Promise<ChangedBy | null> {
  const member = await findSessionOwner(queries, { ...session, storeId });
  return sessionIsValid(session, storeId, member) ? member : null;
}

type Of<Kind> = Extract<StaffCredential, { kind: Kind }>;
