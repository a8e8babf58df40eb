import type { Operation, Transaction } from '@corner/chassis';
import { type loyalty, Problem, type RequestOf } from '@corner/contracts';
import type { Context } from '../context.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Tap } from '../nfc/verify-proof.ts';
import { codeSource } from '../rules/stamp-code.ts';
import { type Asker, codeAskedFor, codeOf, codeOfTap, lockAsking, type MintedCode, mintCode, proveCode } from '../tables/mint-code.ts';
import { findStore } from '../tables/stores.ts';
import { provedTap, useTap } from '../tables/taps.ts';

type Body = RequestOf<typeof loyalty.generateStampCode>['body'];

/**
 * Mints a one-time code, or answers the one that the same Idempotency-Key got, or the same tap or customer a moment ago. A tap proves
 * presence.
 */
export const generateStampCode: Operation<typeof loyalty.generateStampCode, Context> = async ({ body, caller, idempotencyKey }, context) =>
  await context.database.transaction(async (tx) => {
    const at = context.now();
    const store = await findStore(tx, body.store_id);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    if (!store.enabled) throw new Problem('LOYALTY_DISABLED');
    const tap = await provedTap(tx, store, body, context.nfcKeys);
    const customerId = caller.type === 'customer' ? caller.id : null;
    const asked = { customerId, key: idempotencyKey ? keyedHash(context.codeSecret, 'key', `${customerId}\n${idempotencyKey}`) : null };
    const { code: minted, before } = await codeFor(tx, body, asked, tap, at, context);
    const code = codeOf(context.codeSecret, minted);
    return {
      code,
      full_message: `STAMP-${code}`,
      store_code: store.code,
      store_name: store.name,
      expires_at: new Date(minted.expiresAtMs).toISOString(),
      message: `Show this code at ${store.name}, or redeem it there, before it expires.`,
      expires_in_seconds: Math.max(0, Math.ceil((minted.expiresAtMs - at.getTime()) / 1_000)),
      presence_verified: minted.proved,
      deduplicated: before,
    };
  });

async function codeFor(
  tx: Transaction,
  body: Body,
  asker: Asker,
  tap: Tap | null,
  at: Date,
  { codeSecret, newId }: Context,
): Promise<{ readonly code: MintedCode; readonly before: boolean }> {
  const { customerId, key } = asker;
  const device = body.device_info ? keyedHash(codeSecret, 'device', body.device_info) : null;
  const nameless = customerId === null && key === null;
  if (!nameless) await lockAsking(tx, body.store_id, asker);
  const asked = nameless ? null : await codeAskedFor(tx, body.store_id, asker, at);
  if (asked?.underKey) return { code: asked, before: true };
  if (tap && !(await useTap(tx, tap, at))) {
    const code = await codeOfTap(tx, tap, device, customerId, at);
    if (!code) throw new Problem('NFC_TAP_REPLAYED');
    return { code, before: true };
  }
  if (asked) {
    if (tap) await proveCode(tx, asked, tap, device);
    return { code: { ...asked, proved: asked.proved || tap !== null }, before: true };
  }
  const code = await mintCode(
    tx,
    {
      storeId: body.store_id,
      asker,
      source: codeSource(body.source, tap !== null),
      tap,
      device,
      location: body.location_info ?? null,
      ttlSeconds: body.ttl_seconds,
    },
    codeSecret,
    at,
    newId,
  );
  return { code, before: false };
}
