import { type Call, inSpan, measure, peerAttributes, SpanKind, SpanStatusCode } from '@corner/chassis';
import type { Context } from '../context.ts';
import type { UpdateResult, Wallet } from './adapters/wallets.ts';
import type { PassState, WalletName } from './rules.ts';
import { completePass } from './sagas.ts';
import { createPassUpdates, finishPassUpdate, type PassUpdate, postponePassUpdate, takePassUpdates } from './tables/pass-updates.ts';
import { deletePushTokens, selectPass, selectPushTokens } from './tables/passes.ts';

const concurrency = 8;

/** Sends each changed pass to the wallets in its current state, once for any number of changes. A failed update is sent again later. */
export async function pushPassUpdates(context: Updating): Promise<void> {
  const { database, now, wallets } = context;
  const open = (['apple', 'google'] satisfies WalletName[]).filter((name) => wallets[name]);
  if (open.length === 0) return;
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

async function pushUpdate({ database, now, log, call, wallets, passSignal }: Updating, update: PassUpdate): Promise<void> {
  const { serial, wallet, attempts } = update;
  const pass = await selectPass(database, serial);
  const pushTokens = wallet === 'apple' ? await selectPushTokens(database, serial) : [];
  const { goneTokens, fault } = await sendUpdate({ call, name: wallet, wallet: wallets[wallet] }, pass, pushTokens);
  if (goneTokens.length > 0) await deletePushTokens(database, goneTokens);
  const at = now();
  if (fault === null) return await finishPassUpdate(database, update, at);
  const delayMs = retryDelayMs(attempts);
  const next = { dueAt: new Date(at.getTime() + delayMs), failedAt: attempts >= maxAttempts ? at : null };
  passSignal.raiseAfter(delayMs);
  if (await postponePassUpdate(database, update, next))
    log.error({ err: fault, wallet, attempts }, 'a pass could not be updated in a wallet: it is tried again when the pass changes');
  else log.warn({ err: fault, wallet, attempts }, 'a pass could not be updated in a wallet: it is tried again later');
}

/** Never throws: a failure to read the pass's content is the fault. Apple gets no content, since the phone fetches the pass itself. */
async function sendUpdate(
  { call, name, wallet }: { readonly call: Call; readonly name: WalletName; readonly wallet: Wallet | null },
  pass: PassState | null,
  pushTokens: readonly string[],
): Promise<UpdateResult> {
  if (!pass || !wallet) return { goneTokens: [], fault: null };
  try {
    const complete = name === 'apple' ? { ...pass, details: null } : await completePass(call, pass);
    return await inUpdateSpan(name, wallet, pass, () => wallet.update(complete, pushTokens));
  } catch (fault) {
    return { goneTokens: [], fault };
  }
}

function inUpdateSpan(
  name: WalletName,
  { server }: Wallet,
  { kind, storeId, customerId }: PassState,
  update: () => Promise<UpdateResult>,
): Promise<UpdateResult> {
  const about = { 'corner.wallet': name, 'corner.pass.kind': kind, 'corner.store.id': storeId, 'corner.customer.id': customerId };
  return inSpan(`wallet ${name}`, { kind: SpanKind.CLIENT, attributes: { ...about, ...peerAttributes(server) } }, async (span) => {
    const begunAt = performance.now();
    const result = await update();
    const outcome = result.fault === null ? 'ok' : 'failed';
    measure('corner.wallet.update.duration', (performance.now() - begunAt) / 1000, { 'corner.wallet': name, 'corner.outcome': outcome });
    span.setAttribute('corner.outcome', outcome);
    if (outcome === 'failed') {
      span.setAttribute('error.type', outcome);
      span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
    }
    return result;
  });
}

/** With the delays between them, about a day. */
export const maxAttempts = 32;

/** 5 s, doubling up to an hour. */
export const retryDelayMs = (attempts: number): number => Math.min(3_600_000, 5_000 * 2 ** Math.min(Math.max(attempts - 1, 0), 12));

type Updating = Pick<Context, 'database' | 'now' | 'log' | 'call' | 'wallets' | 'passSignal'>;
