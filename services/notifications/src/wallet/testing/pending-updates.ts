import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Phones } from './testbed.ts';

const Notice = z.object({ wallet: z.string(), attempts: z.number(), gave_up: z.boolean() });

/** What wallets have still to be told of a pass. */
export function noticesOf(phones: () => Phones) {
  const notices = (serial: string) =>
    phones().running.service.database.any(sql.type(Notice)`
      select wallet, attempts, gave_up_at is not null as gave_up from pass_notice where serial = ${serial} order by wallet`);
  return {
    notices,
    settled: (serial: string) => until(async () => (await notices(serial)).length === 0, { describe: 'every wallet told' }),
    failed: (serial: string, attempts: number) =>
      until(async () => (await notices(serial)).some((notice) => notice.attempts === attempts), { describe: `${attempts} attempts` }),
  };
}
