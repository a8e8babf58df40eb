import { derivedUuid, type Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { byOf } from '../rules/callers.ts';
import { keptView, storeNow, weeklyClassView } from '../rules/weekly-classes.ts';
import { makeClassesAhead } from '../sagas.ts';
import { findWeeklyClass, listWeeklyClasses as list } from '../tables/weekly-classes.ts';
import { changeWeekly, endWeekly, makeWeekly } from '../transactions/bookings/weekly-classes.ts';
import { readCurrentQueue } from '../transactions/lock-queue.ts';

export const makeWeeklyClass: Operation<typeof contracts.makeWeeklyClass, Context> = async ({ body, caller, idempotencyKey }, context) => {
  const by = byOf(caller);
  const request = {
    id: idempotencyKey === undefined ? null : derivedUuid(`queue.weekly-class:${caller.id}:${idempotencyKey}`),
    store_id: body.store_id,
    service_id: body.service_id,
    unit_id: body.unit_id ?? null,
    days: body.days,
    begins: body.from,
    minutes: body.minutes ?? null,
    places: body.places,
    from_date: body.from_date ?? null,
    until_date: body.until_date ?? null,
    by,
  };
  const id = await context.database.transaction((tx) => makeWeekly(tx, request));
  await makeClassesAhead(context, body.store_id, by);
  return await weeklyReply(context, body.store_id, id);
};

export const listWeeklyClasses: Operation<typeof contracts.listWeeklyClasses, Context> = async ({ params }, { database, now }) => {
  const queue = await readCurrentQueue(database, params.store_id, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const weekly = await list(database, params.store_id, now());
  return { time_zone: queue.timeZone, weekly_classes: weekly.map((one) => weeklyClassView(one, storeNow(queue))) };
};

export const changeWeeklyClass: Operation<typeof contracts.changeWeeklyClass, Context> = async ({ params, body, caller }, context) => {
  const { store_id: storeId, from, until_date, unit_id, days, minutes, places } = body;
  const wanted = {
    ...(unit_id ? { unit_id } : {}),
    ...(days ? { days } : {}),
    ...(from ? { begins: from } : {}),
    ...(minutes ? { minutes } : {}),
    ...(places ? { places } : {}),
    ...(until_date === undefined ? {} : { until_date }),
  };
  const by = byOf(caller);
  const kept = await context.database.transaction((tx) => changeWeekly(tx, { storeId, id: params.weekly_class_id, by, wanted }));
  await makeClassesAhead(context, storeId, by);
  return { ...(await weeklyReply(context, storeId, params.weekly_class_id)), kept: kept.map(keptView) };
};

export const endWeeklyClass: Operation<typeof contracts.endWeeklyClass, Context> = async ({ params, body, caller }, context) => {
  const key = { storeId: body.store_id, id: params.weekly_class_id, by: byOf(caller) };
  const kept = await context.database.transaction((tx) => endWeekly(tx, key));
  return { ...(await weeklyReply(context, body.store_id, params.weekly_class_id)), kept: kept.map(keptView) };
};

async function weeklyReply({ database, now }: Context, storeId: string, id: string) {
  const queue = await readCurrentQueue(database, storeId, now());
  const weekly = queue && (await findWeeklyClass(database, storeId, id, now()));
  if (!weekly) throw new Problem('SESSION_NOT_FOUND');
  return { weekly_class: weeklyClassView(weekly, storeNow(queue)) };
}
