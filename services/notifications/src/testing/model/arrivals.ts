import { sql } from 'slonik';
import { z } from 'zod';
import { type Person, people } from './steps.ts';
import type { History, Toggle } from './world.ts';

const toggles: readonly Toggle[] = ['voucherEventsEnabled', 'stampEventsEnabled'];
const Chosen = z.object({ customer_id: z.string(), voucherEventsEnabled: z.boolean(), stampEventsEnabled: z.boolean() });

/**
 * The messages that arrived at the customers' addresses, compared with their preferences. `mayReach`: a customer may have linked an app in
 * this round. `mayRepeat`: a provider's response may be lost, so the message is sent again. `times` counts the arrivals of an event's
 * message at the address where it arrived most often. `judge` adds the unexpected arrivals since the last call; no request may be running.
 */
export interface Arrivals {
  readonly apps: readonly string[];
  mayReach(app: string, who: Person): void;
  mayRepeat(who: Person): void;
  switched(who: Person, toggle: Toggle, on: boolean): void;
  times(n: number): number;
  isRepeated(who: Person): boolean;
  judge(wrong: string[]): Promise<void>;
}

export function arrivalsOf(history: History): Arrivals {
  const { testbed, storeId, customers, causes } = history;
  const { sandbox, running } = testbed;
  const apps = [0, 1, 2].map((n) => `app-${storeId}-${n}`);
  const reaches = new Map<string, Set<Person>>(
    people.flatMap((who) => [customers[who].email, customers[who].phone].map((to) => [to, new Set([who])])),
  );
  const repeats = new Map<Person, number>();
  const switched = new Map<string, Set<boolean>>();
  const chosen = new Map<string, boolean>();
  const counts = new Map<number, Map<string, number>>();
  let seen = 0;

  const readChoices = async (wrong: string[]) => {
    const rows = await running.service.database.any(sql.type(Chosen)`
      select customer_id, voucher_events_enabled as "voucherEventsEnabled", stamp_events_enabled as "stampEventsEnabled"
      from preference where store_id = ${storeId}`);
    const now = new Map<string, boolean>();
    for (const who of people.filter((one) => one !== 'zed' || history.erased === 'no'))
      for (const toggle of toggles) {
        const key = `${who} ${toggle}`;
        const on = rows.find(({ customer_id }) => customer_id === customers[who].id)?.[toggle] ?? true;
        const [one, ...more] = switched.get(key) ?? [chosen.get(key) ?? true];
        if (more.length === 0 && one !== on) wrong.push(`${key} is ${on}, and what was chosen last is ${one}`);
        now.set(key, on);
      }
    return now;
  };
  const addresses = async () => {
    const rows = await running.service.database.any(sql.type(z.object({ address: z.string(), customer_id: z.string() }))`
      select address, customer_id from device where address = any(${sql.array(apps, 'text')})`);
    for (const app of apps) {
      const owner = rows.find(({ address }) => address === app)?.customer_id;
      reaches.set(app, new Set(people.filter((who) => customers[who].id === owner)));
    }
  };

  return {
    apps,
    mayReach: (app, who) => void reaches.set(app, (reaches.get(app) ?? new Set()).add(who)),
    mayRepeat: (who) => void repeats.set(who, (repeats.get(who) ?? 0) + 1),
    switched: (who, toggle, on) => void switched.set(`${who} ${toggle}`, (switched.get(`${who} ${toggle}`) ?? new Set<boolean>()).add(on)),
    times: (n) => Math.max(0, ...(counts.get(n)?.values() ?? [])),
    isRepeated: (who) => repeats.has(who),
    async judge(wrong) {
      const after = await readChoices(wrong);
      const all = sandbox.inbox.all();
      for (const { to, title, text } of all.slice(seen)) {
        const [, marked, counted] = /#(\d+)|(\d+)\s+of\s+999/.exec(`${title} ${text}`) ?? [];
        const n = Number(marked ?? counted);
        const cause = causes.get(n);
        if (!cause) continue;
        const { who, toggle } = cause;
        const at = counts.get(n) ?? new Map<string, number>();
        counts.set(n, at.set(to, (at.get(to) ?? 0) + 1));
        const key = `${who} ${toggle}`;
        const lost = repeats.get(who) ?? 0;
        if (!reaches.get(to)?.has(who)) wrong.push(`a message of ${who} went to ${to}`);
        if ((at.get(to) ?? 0) > 1 + lost) wrong.push(`message ${n} arrived ${at.get(to)} times at ${to}`);
        if (at.has(customers[who].email) && at.size > 1 && lost === 0) wrong.push(`message ${n} arrived by mail and by push`);
        if (who === 'zed' && history.erased === 'before') wrong.push(`message ${n} arrived after the erasure`);
        if (toggle && !(chosen.get(key) ?? true) && !after.get(key) && !switched.get(key)?.has(true))
          wrong.push(`message ${n} arrived though ${key} was off`);
      }
      seen = all.length;
      for (const [key, on] of after) chosen.set(key, on);
      switched.clear();
      await addresses();
    },
  };
}
