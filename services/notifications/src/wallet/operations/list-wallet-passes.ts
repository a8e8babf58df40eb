import type { Operation } from '@corner/chassis';
import { type notifications, Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { newAuthToken } from '../auth/pass-secrets.ts';
import { isStoreOfPasses, makePasses, passesMissing, passesOf } from '../tables/passes.ts';

/** Minutes a download address is good for. */
const linkMinutes = 15;

/** Shows the caller’s passes at a store with the addresses that put them into a wallet, making those that are not there yet. */
export const listWalletPasses: Operation<typeof notifications.listWalletPasses, Context> = async (
  { caller, query: { store_id: storeId } },
  { database, wallets, now, newId },
) => {
  if (!(await isStoreOfPasses(database, storeId))) throw new Problem('STORE_NOT_FOUND');
  const at = now();
  const missing = await passesMissing(database, caller.id, storeId);
  const made = missing.map((voucherId) => ({ serial: newId(), voucherId, authToken: newAuthToken() }));
  if (made.length > 0) await makePasses(database, caller.id, storeId, made, at, wallets.google !== null);
  const expires = new Date(at.getTime() + linkMinutes * 60_000);
  const passes = await passesOf(database, caller.id, storeId);
  return {
    passes: await Promise.all(
      passes.map(async (pass) => ({
        kind: pass.kind,
        serial: pass.serial,
        voucher_id: pass.voucherId,
        reward_title: pass.rewardTitle,
        apple_url: wallets.apple?.downloadLink(pass, expires) ?? null,
        google_url: (await wallets.google?.saveLink(pass, at)) ?? null,
      })),
    ),
    links_expire_at: expires.toISOString(),
  };
};
