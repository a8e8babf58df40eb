import type { Context } from '../../context.ts';
import { maxAttempts, retryDelayMs } from '../rules/retry-delay.ts';
import type { WalletName } from '../rules/wallet-name.ts';
import { deletePushTokens, selectPushTokens } from '../tables/devices.ts';
import { createPassUpdates, type PassUpdate, postponePassUpdate, settlePassUpdate, takePassUpdates } from '../tables/pass-updates.ts';
import { selectPass } from '../tables/passes.ts';

/** Updates sent at a time. */
const concurrency = 8;

/** Sends each changed pass to the wallets in its current state, once however often it changed. An update that fails is sent again later. */
export async function pushPassUpdates(context: Pick<Context, 'database' | 'now' | 'log' | 'wallets'>): Promise<void> {
  const { database, now, wallets } = context;
  const open = (['apple', 'google'] satisfies WalletName[]).filter((name) => wallets[name]);
  while ((await createPassUpdates(database, now(), open)) > 0);
  for (;;) {
    const updates = [...(await takePassUpdates(database, now(), open))];
    if (updates.length === 0) return;
    const pushUntilEmpty = async () => {
      for (let update = updates.pop(); update; update = updates.pop()) await pushUpdate(context, update);
    };
    await Promise.all(Array.from({ length: concurrency }, pushUntilEmpty));
  }
}

async function pushUpdate(
  { database, now, log, wallets }: Pick<Context, 'database' | 'now' | 'log' | 'wallets'>,
  update: PassUpdate,
): Promise<void> {
  const { serial, wallet, attempts } = update;
  const pass = await selectPass(database, serial);
  const pushTokens = wallet === 'apple' ? await selectPushTokens(database, serial) : [];
  const { goneTokens, fault } = pass && wallets[wallet] ? await wallets[wallet].update(pass, pushTokens) : { goneTokens: [], fault: null };
  if (goneTokens.length > 0) await deletePushTokens(database, goneTokens);
  const at = now();
  if (fault === null) return await settlePassUpdate(database, update, at);
  const next = { dueAt: new Date(at.getTime() + retryDelayMs(attempts)), failedAt: attempts >= maxAttempts ? at : null };
  if (await postponePassUpdate(database, update, next))
    log.error({ err: fault, wallet, attempts }, 'a pass could not be updated in a wallet: it is tried again when the pass changes');
  else log.warn({ err: fault, wallet, attempts }, 'a pass could not be updated in a wallet: it is tried again later');
}
