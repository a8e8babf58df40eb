import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import type { WalletTestbed } from './testbed.ts';

const PendingUpdate = z.object({ wallet: z.string(), attempts: z.number(), failed: z.boolean() });

/** Reads the updates of a pass that wallets have yet to receive. */
export function pendingUpdatesOf(testbed: () => WalletTestbed) {
  const pendingUpdates = (serial: string) =>
    testbed().running.service.database.any(sql.type(PendingUpdate)`
      select wallet, attempts, failed_at is not null as failed from pass_update where serial = ${serial} order by wallet`);
  return {
    pendingUpdates,
    /** Resolves when every wallet is up to date. */
    settled: (serial: string) => until(async () => (await pendingUpdates(serial)).length === 0, { describe: 'every wallet is up to date' }),
    /** Resolves when an update has been tried so often. */
    attempted: (serial: string, attempts: number) =>
      until(async () => (await pendingUpdates(serial)).some((update) => update.attempts === attempts), {
        describe: `${attempts} attempts`,
      }),
  };
}
