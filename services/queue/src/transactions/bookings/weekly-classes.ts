import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem } from '@corner/contracts';
import type { LiveQueue } from '../../rules/live-queue.ts';
import { aheadOf, compareWeek, mostWeeklyClasses, storeNow } from '../../rules/weekly-classes.ts';
import {
  deleteDay,
  findWeeklyClass,
  insertDay,
  listWeeklyClasses,
  type MadeDay,
  type SavedWeeklyClass,
  saveWeeklyClass,
  type WeeklyClass,
} from '../../tables/weekly-classes.ts';
import { lockQueue } from '../lock-queue.ts';
import { cancelClass, changeClass, makeClass } from './classes.ts';
import { checkUnit, serviceIn } from './find-chair.ts';

/** Returns its id. A repeat under one id changes nothing. Throws STORE_NOT_FOUND, SERVICE_NOT_FOUND, UNIT_NOT_FOUND and VALIDATION_FAILED. */
export async function makeWeekly(tx: Transaction, { by, id: wantedId, minutes, from_date, ...wanted }: NewWeekly): Promise<string> {
  const queue = await lockQueue(tx, wanted.store_id);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  if (wantedId !== null && (await findWeeklyClass(tx, wanted.store_id, wantedId, tx.now))) return wantedId;
  checkUnit(queue, wanted.unit_id);
  if ((await listWeeklyClasses(tx, wanted.store_id, tx.now)).length >= mostWeeklyClasses)
    throw new Problem('VALIDATION_FAILED', { message: `body: the store has ${mostWeeklyClasses} weekly classes; end one first` });
  const today = tx.now.toTemporalInstant().toZonedDateTimeISO(queue.timeZone).toPlainDate().toString();
  const service = serviceIn(queue, wanted.service_id);
  const id = wantedId ?? tx.newId();
  const weekly = { ...wanted, id, minutes: minutes ?? service.minutes, from_date: from_date ?? today, ended: false };
  checkDates(weekly);
  await saveWeeklyClass(tx, weekly, 'weekly_class_made', by);
  return id;
}

function checkDates({ from_date, until_date }: Pick<SavedWeeklyClass, 'from_date' | 'until_date'>): void {
  if (until_date !== null && until_date < from_date)
    throw new Problem('VALIDATION_FAILED', { message: `body.until_date: must not be before its first day, ${from_date}` });
}

/** Makes the class of one day, unless it is made. Throws SESSION_NOT_FOUND, and what makes a class of that day impossible. */
export async function makeDay(
  tx: Transaction,
  { day, by, ...key }: Omit<WeeklyKey, 'by'> & { readonly day: string; readonly by: ChangedBy | null },
): Promise<void> {
  const { queue, weekly } = await lockWeekly(tx, key);
  const lacking = aheadOf(weekly, storeNow(queue)).find((one) => one.day === day && one.state === 'not_free');
  if (!lacking) return;
  const { service_id: serviceId, unit_id: unitId, minutes, places } = weekly;
  const wanted = { id: null, storeId: key.storeId, serviceId, unitId, from: lacking.from, minutes, places, by };
  await insertDay(tx, weekly.id, day, (await makeClass(tx, wanted)).id);
}

/** Returns the classes ahead that stay as they were. Throws SESSION_NOT_FOUND, INVALID_TRANSITION, UNIT_NOT_FOUND and VALIDATION_FAILED. */
export async function changeWeekly(
  tx: Transaction,
  { wanted, ...key }: WeeklyKey & { readonly wanted: Partial<SavedWeeklyClass> },
): Promise<readonly MadeDay[]> {
  const { queue, weekly } = await lockWeekly(tx, key);
  if (weekly.ended) throw new Problem('INVALID_TRANSITION', { message: 'The weekly class has ended.' });
  const changed = { ...weekly, ...wanted };
  checkUnit(queue, changed.unit_id);
  checkDates(changed);
  await saveWeeklyClass(tx, changed, 'weekly_class_changed', key.by);
  return await followWeek(tx, queue, changed, key.by);
}

/** Returns the classes ahead that stay. A repeat changes nothing. Throws SESSION_NOT_FOUND. */
export async function endWeekly(tx: Transaction, key: WeeklyKey): Promise<readonly MadeDay[]> {
  const { queue, weekly } = await lockWeekly(tx, key);
  const ended = { ...weekly, ended: true };
  if (!weekly.ended) await saveWeeklyClass(tx, ended, 'weekly_class_ended', key.by);
  return await followWeek(tx, queue, ended, key.by);
}

async function lockWeekly(
  tx: Transaction,
  { storeId, id }: Pick<WeeklyKey, 'storeId' | 'id'>,
): Promise<{ queue: LiveQueue; weekly: WeeklyClass }> {
  const queue = await lockQueue(tx, storeId);
  const weekly = queue && (await findWeeklyClass(tx, storeId, id, tx.now));
  if (!weekly) throw new Problem('SESSION_NOT_FOUND');
  return { queue, weekly };
}

/** Changes the classes ahead that may change. One that cannot be at its new time is cancelled, and its day lacks a class. */
async function followWeek(tx: Transaction, queue: LiveQueue, weekly: WeeklyClass, by: ChangedBy): Promise<readonly MadeDay[]> {
  const { changing, kept } = compareWeek(weekly, storeNow(queue));
  for (const { made, from } of changing) {
    const key = { storeId: weekly.store_id, sessionId: made.id, by };
    const { unit_id: unitId, minutes, places } = weekly;
    if (from !== null && (await isPossible(changeClass(tx, { ...key, wanted: { from, unitId, minutes, places } })))) continue;
    await deleteDay(tx, made.id);
    await cancelClass(tx, { ...key, reason: null });
  }
  return kept;
}

/** A problem that a constraint has found is thrown on: the transaction has failed with it. */
async function isPossible(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof Problem && error.cause === undefined) return false;
    throw error;
  }
}

interface NewWeekly extends Omit<SavedWeeklyClass, 'id' | 'minutes' | 'from_date' | 'ended'> {
  readonly id: string | null;
  /** Null: as long as the service takes. */
  readonly minutes: number | null;
  /** Null: today at the store. */
  readonly from_date: string | null;
  readonly by: ChangedBy;
}

interface WeeklyKey {
  readonly storeId: string;
  readonly id: string;
  readonly by: ChangedBy;
}
