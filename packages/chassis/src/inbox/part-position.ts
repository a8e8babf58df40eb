import { Incarnation } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { NoColumns } from '../database/columns.ts';
import { heldLease, LostLease } from './consumer-lease.ts';
import type { Part } from './parts.ts';
import {
  type Beginning,
  change,
  completeSql,
  type LostRange,
  MovedPosition,
  numbersAhead,
  type PassedOn,
  type Position,
  type PositionNotes,
  type PositionOwner,
  PositionRow,
  type Positions,
  positionOf,
} from './position.ts';

// The position of one of several parts is a row of consumer_part. Beside it consumer_position has the least of all parts, from which the
// parts of another number begin, and which all others read.

interface PartOwner extends PositionOwner {
  readonly part: Part;
}

async function takeUp({ database, producer, lease, part: { part } }: PartOwner): Promise<Position> {
  const ahead = await numbersAhead({ database, producer });
  const row = await database.maybeOne(sql.prepared('take-up-part', PositionRow)`
    with held as (${heldLease(lease)}), noted as (
      insert into consumer_position (producer) select ${producer} from held on conflict do nothing
    ), whole as (
      select complete_up_to, incarnations, clean from consumer_position where producer = ${producer}
    ), own as (
      select complete_up_to, incarnations, clean from consumer_part where producer = ${producer} and part = ${part}
    ), begun as (
      insert into consumer_part (producer, part, complete_up_to, incarnations, clean)
      select ${producer}, ${part}, complete_up_to, incarnations, false from held, whole where complete_up_to is not null
      on conflict (producer, part) do update set clean = false
    )
    select greatest(o.complete_up_to, w.complete_up_to) as complete_up_to,
      coalesce(case when ${newest(sql.fragment`o.incarnations`)} >= ${newest(sql.fragment`w.incarnations`)} then o.incarnations end, w.incarnations, '[]')
        as incarnations,
      coalesce(o.clean, w.clean, true) as clean
    from held left join whole w on true left join own o on true`);
  if (!row) throw new LostLease();
  return positionOf(row, ahead);
}

async function move(
  { database, producer, lease, part: { part, of } }: PartOwner,
  passed: PassedOn,
  { incarnations, last, missing, missing_since, clean }: PositionNotes,
): Promise<number> {
  const moved = await database.maybeOneFirst(sql.prepared('move-part', MovedPosition)`
    with moved as (
      update consumer_part set
        complete_up_to = ${completeSql(producer, passed)},
        incarnations = ${sql.jsonb(incarnations)}, last = ${last}, missing = ${missing}, missing_since = ${missing_since}, clean = ${clean}
      where producer = ${producer} and part = ${part} and exists (${heldLease(lease)})
      returning complete_up_to, incarnations, last, missing, missing_since
    ), others as (
      select count(*) as parts, min(complete_up_to) as complete_up_to, max(last) as last, max(missing) as missing, min(missing_since) as missing_since
      from consumer_part where producer = ${producer} and part <> ${part}
    ), whole as (
      update consumer_position w set
        complete_up_to = case when o.parts = ${of - 1} then greatest(w.complete_up_to, least(m.complete_up_to, o.complete_up_to)) else w.complete_up_to end,
        incarnations = case when ${newest(sql.fragment`m.incarnations`)} >= ${newest(sql.fragment`w.incarnations`)} then m.incarnations else w.incarnations end,
        last = greatest(m.last, o.last),
        missing = greatest(m.missing, o.missing),
        missing_since = least(m.missing_since, o.missing_since)
      from moved m, others o where w.producer = ${producer}
    )
    select complete_up_to from moved`);
  if (moved === null) throw new LostLease();
  return moved;
}

const newest = (incarnations: FragmentSqlToken) => sql.fragment`coalesce((${incarnations} -> -1 ->> 'begins')::bigint, 0)`;

const BeginningRow = z.object({ complete_up_to: z.number(), incarnations: z.array(Incarnation) });

/** All parts of a new consumer begin where the first of them does. */
async function begin(
  { database, producer, lease, part: { part } }: PartOwner,
  { completeUpTo, incarnations, last }: Beginning & { readonly last: number },
): Promise<Beginning> {
  const row = await database.maybeOne(sql.type(BeginningRow)`
    with whole as (
      update consumer_position set
        incarnations = case when complete_up_to is null then ${sql.jsonb(incarnations)} else incarnations end,
        complete_up_to = coalesce(complete_up_to, ${completeUpTo}),
        last = greatest(last, ${last})
      where producer = ${producer} and exists (${heldLease(lease)})
      returning complete_up_to, incarnations
    ), own as (
      insert into consumer_part (producer, part, complete_up_to, incarnations, clean)
      select ${producer}, ${part}, complete_up_to, incarnations, false from whole
    )
    select complete_up_to, incarnations from whole`);
  if (!row) throw new LostLease();
  return { completeUpTo: row.complete_up_to, incarnations: row.incarnations };
}

async function set(
  { database, producer, lease, part: { part } }: PartOwner,
  completeUpTo: number,
  incarnations: readonly Incarnation[],
): Promise<void> {
  await change(
    database,
    sql.type(NoColumns)`
    update consumer_part set complete_up_to = ${completeUpTo}, incarnations = ${sql.jsonb(incarnations)}
    where producer = ${producer} and part = ${part} and exists (${heldLease(lease)})`,
  );
}

async function passLost({ database, producer, lease, part: { part } }: PartOwner, { from, to, before }: LostRange): Promise<void> {
  await database.transaction(async (tx) => {
    await change(
      tx,
      sql.type(NoColumns)`
      update consumer_part set complete_up_to = ${to} where producer = ${producer} and part = ${part} and exists (${heldLease(lease)})`,
    );
    await tx.query(sql.type(NoColumns)`
      insert into lost_range (producer, first_number, last_number, published_before)
      select ${producer}, min(number), max(number), ${before} from (
        select number, number - row_number() over (order by number) as island from generate_series(${from}::bigint, ${to}::bigint) as lost (number)
        where not exists (select from inbox i where i.producer = ${producer} and i.number = lost.number)
          and not exists (
            select from lost_range l where l.producer = ${producer} and lost.number between l.first_number and l.last_number)
      ) lacking group by island
      on conflict do nothing`);
  });
}

/** Cuts off every part, since the numbers in the inbox are shared. The others lose their leases, and begin again. */
async function cut({ database, producer, lease }: PartOwner, end: number, incarnations: readonly Incarnation[]): Promise<number> {
  return await database.transaction(async (tx) => {
    await tx.query(sql.type(NoColumns)`lock table inbox, consumer_position, consumer_part in share row exclusive mode`);
    await change(
      tx,
      sql.type(NoColumns)`update consumer_lease set token = gen_random_uuid() where token <> ${lease} and exists (${heldLease(lease)})`,
    );
    for (const table of ['consumer_part', 'consumer_position'])
      await tx.query(sql.type(NoColumns)`
        update ${sql.identifier([table])} set complete_up_to = least(complete_up_to, ${end}), incarnations = ${sql.jsonb(incarnations)}
        where producer = ${producer}`);
    const { rowCount } = await tx.query(sql.type(NoColumns)`
      update inbox set number = null where producer = ${producer} and number > ${end}`);
    return rowCount;
  });
}

export const partPositions: Positions<PartOwner> = { takeUp, move, begin, set, passLost, cut };
