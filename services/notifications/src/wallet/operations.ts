import type { Operation } from '@corner/chassis';
import { type notifications, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { newAuthToken } from '../crypto.ts';
import { completePass } from './sagas.ts';
import { insertPasses, selectPasses, selectVouchersWithoutPass, storeExists } from './tables/passes.ts';

const linkMinutes = 15;

export const listWalletPasses: Operation<typeof notifications.listWalletPasses, Context> = async (
  { caller, query: { store_id: storeId } },
  { database, wallets, call, now: clock, newId, passSignal },
) => {
  if (!(await storeExists(database, storeId))) throw new Problem('STORE_NOT_FOUND');
  const now = clock();
  const missing = await selectVouchersWithoutPass(database, caller.id, storeId);
  const created = missing.map((voucherId) => ({ serial: newId(), voucherId, authToken: newAuthToken() }));
  if (created.length > 0) {
    await insertPasses(database, { customerId: caller.id, storeId, passes: created, google: wallets.google !== null, now });
    passSignal.raise();
  }
  const expires = new Date(now.getTime() + linkMinutes * 60_000);
  const passes = await selectPasses(database, caller.id, storeId);
  return {
    passes: await Promise.all(
      passes.map(async (pass) => ({
        kind: pass.kind,
        serial: pass.serial,
        voucher_id: pass.voucherId,
        reward_title: pass.rewardTitle,
        apple_url: wallets.apple?.downloadLink(pass, expires) ?? null,
        google_url: wallets.google ? await wallets.google.saveLink(await completePass(call, pass), now) : null,
      })),
    ),
    links_expire_at: expires.toISOString(),
  };
};
