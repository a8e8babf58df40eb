import { type CornerClient, newUuid } from '@corner/client';
import { keptList } from '@corner/page-kit/browser/kept-list';
import type { Lock } from '@corner/page-kit/browser/lock';
import { kept as browserStorage, type Kept } from '@corner/page-kit/browser/storage';
import { isRefusal } from '../../order/attempts.ts';
import { deviceId } from '../../session/device-id.ts';

export type TapOutcome =
  | {
      /**
       * The outcome of a tap. `too soon`: the shop gives a customer one stamp a minute, and this tap came within it. `reason`: why the
       * stamp waits for the shop, such as `shared_device`. `voucher_earned`: the stamp completed a reward, whose voucher is on the card.
       */
      readonly kind: 'counts' | 'waits' | 'too soon';
      readonly store_id: string;
      readonly store_code: string | null;
      readonly stamp_id: string | null;
      readonly reason: string | null;
      readonly count: number;
      readonly goal: number;
      readonly voucher_earned: boolean;
    }
  | { readonly kind: 'refused'; readonly code: string };

/**
 * A tap is stored before anything is sent, so that a reload, a second tab and a lost reply repeat the same requests: they get the same
 * code, and the code its first stamp. `store` is the code or the id in the tag's address, `tapped_at` is in epoch milliseconds,
 * `unanswered` says that a request got no reply, and `outcome` is null until the shop has decided.
 */
export interface Tap {
  readonly store: string | null;
  readonly nfc_picc_data: string;
  readonly nfc_cmac: string;
  readonly nfc_key_version: string;
  readonly idempotency_key: string;
  readonly tapped_at: number;
  readonly unanswered: boolean;
  readonly outcome: TapOutcome | null;
}

const name = 'corner.taps';
const most = 5;
/** The longest validity of a code: a reply may be delayed. */
const codeSeconds = 300;

export interface TapEnvironment {
  readonly client: Pick<CornerClient, 'POST'>;
  readonly storage: Kept;
  readonly lock: Lock;
  readonly now: () => number;
}
type Storing = Pick<TapEnvironment, 'storage' | 'now'>;
const browser = { storage: browserStorage, now: Date.now };

export function keepTap(search: string, { storage, now }: Storing = browser): Tap | undefined {
  const address = new URLSearchParams(search);
  const [nfc_picc_data, nfc_cmac] = [address.get('picc_data'), address.get('cmac')];
  if (!nfc_picc_data || !nfc_cmac) return undefined;
  const before = tapsIn(storage)
    .read()
    .find((tap) => isSame(tap, { nfc_picc_data, nfc_cmac }));
  if (before) return before;
  const tap: Tap = {
    store: address.get('store'),
    nfc_picc_data,
    nfc_cmac,
    nfc_key_version: address.get('key_version') ?? '1',
    idempotency_key: newUuid(),
    tapped_at: now(),
    unanswered: false,
    outcome: null,
  };
  tapsIn(storage).add(tap);
  return tap;
}

export const lastTap = ({ storage }: Pick<Storing, 'storage'> = browser): Tap | undefined => tapsIn(storage).read()[0];

/**
 * Gets the stamp of a tap, or its earlier outcome. `storeId` is the store of the tag. One tab does so at a time. Throws a CornerError when
 * the outcome is unknown, because there was no reply or none that decides; the same call may be repeated.
 */
export async function collectStamp(tap: Tap, storeId: string, env: TapEnvironment): Promise<TapOutcome> {
  return await env.lock(`tap.${tap.idempotency_key}`, async () => {
    const current =
      tapsIn(env.storage)
        .read()
        .find((one) => isSame(one, tap)) ?? tap;
    if (current.outcome) return current.outcome;
    const outcome = await decide(current, storeId, env);
    update(env.storage, current, { outcome });
    return outcome;
  });
}

async function decide(tap: Tap, storeId: string, env: TapEnvironment): Promise<TapOutcome> {
  try {
    return await redeemTap(tap, storeId, env);
  } catch (error) {
    if (!isRefusal(error)) {
      update(env.storage, tap, { unanswered: true });
      throw error;
    }
    // Others tapped before the phone had a connection, or the code expired meanwhile: the shop can still look at the tap.
    const late = tap.unanswered && (error.code === 'NFC_TAP_REPLAYED' || error.code === 'CODE_EXPIRED');
    return late ? await syncLate(tap, storeId, env) : { kind: 'refused', code: error.code };
  }
}

async function redeemTap(tap: Tap, store_id: string, { client, storage }: TapEnvironment): Promise<TapOutcome> {
  const device_info = deviceId(storage);
  const { data: issued } = await client.POST('/api/v1/loyalty/stamp-codes', {
    params: { header: { 'Idempotency-Key': tap.idempotency_key } },
    body: { store_id, ttl_seconds: codeSeconds, device_info, source: 'nfc', ...proofOf(tap) },
  });
  const { data } = await client.POST('/api/v1/loyalty/stamp-codes/redeem', {
    body: { code: issued.code, expected_store_id: store_id, device_info },
  });
  const { stamp_id, store_code, approval_reason: reason, current_stamps: count, goal } = data;
  const isOfAnother =
    data.already_redeemed &&
    tapsIn(storage)
      .read()
      .some((one) => !isSame(one, tap) && stampOf(one) === stamp_id);
  const kind = isOfAnother ? 'too soon' : data.counts_now ? 'counts' : 'waits';
  return { kind, store_id, store_code, stamp_id, reason, count, goal, voucher_earned: data.voucher_earned && !isOfAnother };
}

/** Sends the receipt of a tap without a connection. The tap counts when it is unused; otherwise it waits for the shop. */
async function syncLate(tap: Tap, store_id: string, { client }: TapEnvironment): Promise<TapOutcome> {
  const receipt = {
    receipt_id: tap.idempotency_key,
    store_code: store_id,
    tap_timestamp: new Date(tap.tapped_at).toISOString(),
    source: 'offline_nfc',
    ...proofOf(tap),
  };
  const { data } = await client.POST('/api/v1/loyalty/stamps/sync-offline', { body: { stamps: [receipt] } });
  const [result] = data.results;
  if (!result?.success) return { kind: 'refused', code: codes[result?.error ?? ''] ?? 'NFC_TAP_REPLAYED' };
  return {
    kind: result.stamp_status === 'approved' ? 'counts' : 'waits',
    store_id,
    store_code: null,
    stamp_id: result.stamp_id ?? null,
    reason: 'late',
    count: result.current_stamps ?? 0,
    goal: result.goal ?? 0,
    voucher_earned: result.voucher_earned ?? false,
  };
}

const codes: Readonly<Record<string, string>> = {
  loyalty_disabled: 'LOYALTY_DISABLED',
  daily_limit: 'DAILY_LIMIT_REACHED',
  monthly_limit: 'MONTHLY_LIMIT_REACHED',
};

const proofOf = ({ nfc_picc_data, nfc_cmac, nfc_key_version }: Tap) => ({ nfc_picc_data, nfc_cmac, nfc_key_version });
const stampOf = ({ outcome }: Tap): string | null => (outcome && outcome.kind !== 'refused' ? outcome.stamp_id : null);

type Proof = Pick<Tap, 'nfc_picc_data' | 'nfc_cmac'>;
const isSame = (one: Proof, other: Proof): boolean => one.nfc_picc_data === other.nfc_picc_data && one.nfc_cmac === other.nfc_cmac;

const update = (storage: Kept, tap: Tap, change: Partial<Tap>): void => tapsIn(storage).change((one) => isSame(one, tap), change);

const tapsIn = (storage: Kept) => keptList<Tap>(storage, name, most, (one) => typeof one?.nfc_cmac === 'string');
