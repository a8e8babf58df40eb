import type { Context } from '../../context.ts';
import type { WalletName } from '../adapters/wallets.ts';
import { devicesOf, dropTokens } from '../tables/devices.ts';
import { type Notice, putOffNotice, raiseNotices, settleNotice, takeNotices } from '../tables/pass-updates.ts';
import { passBySerial } from '../tables/passes.ts';

/** Wallets told at a time. */
const atOnce = 8;

/** Tells wallets of passes that have changed: as they are now, however often they changed, and again later where that fails. */
export async function tellWallets(context: Pick<Context, 'database' | 'now' | 'log' | 'wallets'>): Promise<void> {
  const { database, now, wallets } = context;
  const open = (['apple', 'google'] satisfies WalletName[]).filter((name) => wallets[name]);
  while ((await raiseNotices(database, now(), open)) > 0);
  for (;;) {
    const notices = [...(await takeNotices(database, now(), open))];
    if (notices.length === 0) return;
    const work = async () => {
      for (let notice = notices.pop(); notice; notice = notices.pop()) await tellOne(context, notice);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
}

async function tellOne(
  { database, now, log, wallets }: Pick<Context, 'database' | 'now' | 'log' | 'wallets'>,
  notice: Notice,
): Promise<void> {
  const { serial, wallet, attempts } = notice;
  const pass = await passBySerial(database, serial);
  const devices = wallet === 'apple' ? await devicesOf(database, serial) : [];
  const told = pass && wallets[wallet] ? await wallets[wallet].publish(pass, devices) : { gone: [], fault: null };
  if (told.gone.length > 0) await dropTokens(database, told.gone);
  if (told.fault === null) return await settleNotice(database, notice, now());
  if (await putOffNotice(database, notice, now()))
    log.error({ err: told.fault, wallet, attempts }, 'a wallet was given up on: the next change of the pass tries again');
  else log.warn({ err: told.fault, wallet, attempts }, 'a wallet could not be told: trying again later');
}
