import { preferenceToggles } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { defaultPreferences, letsSend } from '../../messages/rules/preferences.ts';
import { PreferenceRow, preferenceColumns } from '../../messages/tables/preferences.ts';
import { type Person, people } from './steps.ts';
import { type Cause, causeIn, type History, type Toggle } from './world.ts';

/**
 * The messages that arrived at the customers' addresses, compared with their preferences. `mayReach`: a customer may have linked an app in
 * this round. `mayRepeat`: a provider's response may be lost, so the message is sent again. `texted`: the customer's number sent a word.
 * `times` counts the arrivals of an event's message at the address where it arrived most often. `judge` adds the unexpected arrivals since
 * the last call; no request may be running.
 */
export interface Arrivals {
  readonly apps: readonly string[];
  mayReach(app: string, who: Person): void;
  mayRepeat(who: Person): void;
  switched(who: Person, toggle: Toggle, on: boolean): void;
  texted(who: Person, accepted: boolean): void;
  times(n: number): number;
  isRepeated(who: Person): boolean;
  judge(wrong: string[]): Promise<void>;
}

interface Word {
  readonly at: number;
  readonly accepted: boolean;
}

export function arrivalsOf(history: History): Arrivals {
  const { testbed, storeId, customers, causes } = history;
  const { sandbox, running, clock } = testbed;
  const apps = [0, 1, 2].map((n) => `app-${storeId}-${n}`);
  const addressesOf = (who: Person) => [customers[who].email, customers[who].phone, customers[who].number];
  const reaches = new Map<string, Set<Person>>(people.flatMap((who) => addressesOf(who).map((to) => [to, new Set([who])])));
  const repeats = new Map<Person, number>();
  const switched = new Map<string, Set<boolean>>();
  const chosen = new Map<string, boolean>();
  const counts = new Map<number, Map<string, number>>();
  const words = new Map<Person, Word>();
  const texts = new Map<Person, Set<boolean>>();
  let seen = 0;

  const readChoices = async (wrong: string[]) => {
    const rows = await running.service.database.any(sql.type(PreferenceRow.extend({ customer_id: z.string() }))`
      select customer_id, ${preferenceColumns} from preference p where store_id = ${storeId}`);
    const now = new Map<string, boolean>();
    for (const who of people.filter((one) => one !== 'zed' || history.erased === 'no'))
      for (const toggle of preferenceToggles) {
        const key = `${who} ${toggle}`;
        const on = rows.find(({ customer_id }) => customer_id === customers[who].id)?.[toggle] ?? defaultPreferences[toggle];
        const [one, ...more] = switched.get(key) ?? [chosen.get(key) ?? defaultPreferences[toggle]];
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
  const wasOn = (who: Person, toggle: Toggle, after: ReadonlyMap<string, boolean>): boolean => {
    const key = `${who} ${toggle}`;
    const now = after.get(key);
    const values = [chosen.get(key) ?? defaultPreferences[toggle], ...(now === undefined ? [] : [now]), ...(switched.get(key) ?? [])];
    return values.some((value) => letsSend(toggle, value));
  };
  const faultsOf = (n: number, { toggles }: Cause, who: Person, after: ReadonlyMap<string, boolean>): string[] => [
    ...(who === 'zed' && history.erased === 'before' ? [`message ${n} arrived after the erasure`] : []),
    ...toggles.filter((toggle) => !wasOn(who, toggle, after)).map((toggle) => `message ${n} arrived though ${toggle} of ${who} stops it`),
  ];
  const countOf = (n: number, who: Person, to: string): string[] => {
    const at = counts.get(n) ?? new Map<string, number>();
    counts.set(n, at.set(to, (at.get(to) ?? 0) + 1));
    const lost = repeats.get(who) ?? 0;
    return [
      ...((at.get(to) ?? 0) > 1 + lost ? [`message ${n} arrived ${at.get(to)} times at ${to}`] : []),
      ...(at.has(customers[who].email) && at.size > 1 && lost === 0 ? [`message ${n} arrived by mail and by push`] : []),
    ];
  };
  /** A call has no number in its text: it is judged by its address alone. */
  const faultsOfCall = (to: string): string[] => {
    const who = [...(reaches.get(to) ?? [])].find((one) => one !== 'zed' || history.erased !== 'before');
    if (!who) return [`a call went to ${to}`];
    const isStopped = to === customers[who].number && words.get(who)?.accepted === false && !texts.get(who)?.has(true);
    return isStopped ? [`a text arrived at the number of ${who}, which had stopped texts`] : [];
  };

  return {
    apps,
    mayReach: (app, who) => void reaches.set(app, (reaches.get(app) ?? new Set()).add(who)),
    mayRepeat: (who) => void repeats.set(who, (repeats.get(who) ?? 0) + 1),
    switched: (who, toggle, on) => void switched.set(`${who} ${toggle}`, (switched.get(`${who} ${toggle}`) ?? new Set<boolean>()).add(on)),
    texted: (who, accepted) => void texts.set(who, (texts.get(who) ?? new Set<boolean>()).add(accepted)),
    times: (n) => Math.max(0, ...(counts.get(n)?.values() ?? [])),
    isRepeated: (who) => repeats.has(who),
    async judge(wrong) {
      const after = await readChoices(wrong);
      const all = sandbox.inbox.all();
      for (const message of all.slice(seen).filter(({ channel }) => channel !== 'wallet')) {
        const { to } = message;
        const n = causeIn(message);
        if (n === null) wrong.push(...faultsOfCall(to));
        const cause = n === null ? undefined : causes.get(n);
        if (n === null || !cause) continue;
        const { who } = cause;
        if (who && !reaches.get(to)?.has(who)) wrong.push(`a message of ${who} went to ${to}`);
        const faults = (who ? [who] : [...(reaches.get(to) ?? [])]).map((one) => faultsOf(n, cause, one, after));
        if (faults.every((of) => of.length > 0)) wrong.push(...(faults[0] ?? [`a campaign went to ${to}`]));
        if (who) wrong.push(...countOf(n, who, to));
      }
      seen = all.length;
      for (const [key, on] of after) chosen.set(key, on);
      switched.clear();
      for (const [who, accepted] of texts) words.set(who, lastWord(words.get(who), { at: clock.now().getTime(), accepted }));
      texts.clear();
      await addresses();
    },
  };
}

/** The clock stands still in a round: of words of one moment a STOP counts. */
function lastWord(before: Word | undefined, { at, accepted }: { readonly at: number; readonly accepted: ReadonlySet<boolean> }): Word {
  const isStopped = accepted.has(false) || (before?.at === at && !before.accepted);
  return { at, accepted: !isStopped };
}
