import type { Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { keyedHash } from '../crypto/hashes.ts';
import { findStore } from '../tables/stores.ts';
import { mintStampCode } from '../transactions/mint-stamp-code.ts';
import { verifyTap } from '../transactions/verify-tap.ts';

/** Mints a one-time code, or returns the one that the same Idempotency-Key, tap or customer got before. */
export const generateStampCode: Operation<typeof loyalty.generateStampCode, Context> = async (
  { body, caller, idempotencyKey },
  context,
) => {
  const { codeSecret } = context;
  const customerId = caller.type === 'customer' ? caller.id : null;
  const keyHash = idempotencyKey ? keyedHash(codeSecret, 'key', `${customerId}\n${idempotencyKey}`) : null;
  return await context.database.transaction(async (tx) => {
    const store = await findStore(tx, body.store_id);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    if (!store.enabled) throw new Problem('LOYALTY_DISABLED');
    const request = {
      requester: { storeId: body.store_id, customerId, keyHash },
      claimedSource: body.source,
      tap: await verifyTap(tx, store, body, context.nfcKeys),
      device: body.device_info ? keyedHash(codeSecret, 'device', body.device_info) : null,
      location: body.location_info ?? null,
      ttlSeconds: body.ttl_seconds,
    };
    const { code, expiresAtMs, presenceVerified, replayed } = await mintStampCode(tx, request, codeSecret);
    return {
      code,
      full_message: `STAMP-${code}`,
      store_code: store.code,
      store_name: store.name,
      expires_at: new Date(expiresAtMs).toISOString(),
      message: `Show this code at ${store.name}, or redeem it there, before it expires.`,
      expires_in_seconds: Math.max(0, Math.ceil((expiresAtMs - tx.now.getTime()) / 1_000)),
      presence_verified: presenceVerified,
      deduplicated: replayed,
    };
  });
};
