import { type Completeness, Incarnation, type ServiceName } from '@corner/contracts';
import { type CommonQueryMethods, type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import { instantOf, NoColumns } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { heldLease, LostLease } from './consumer-lease.ts';

/**
 * The inbox holds every number up to `completeUpTo`, null before the first event, and those `ahead` of it. `incarnations` are those of its
 * numbers, oldest first.
 */
export interface Position {
  readonly completeUpTo: number | null;
  readonly incarnations: readonly Incarnation[];
  readonly ahead: ReadonlySet<number>;
  readonly clean: boolean;
}

export const PositionRow = z.object({ complete_up_to: z.number().nullable(), incarnations: z.array(Incarnation), clean: z.boolean() });

export interface PositionOwner {
  readonly database: Database;
  readonly producer: ServiceName;
  /** The token of the consumer lease. Without the lease every change throws a LostLease. */
  readonly lease: string;
}

/**
 * Call `set`, `passLost` and `cut` while no event of the producer is in progress: they move the position past void numbers, past lost ones,
 * and back.
 */
export interface Positions<Owner extends PositionOwner = PositionOwner> {
  readonly takeUp: (owner: Owner) => Promise<Position>;
  readonly move: (owner: Owner, passed: PassedOn, notes: PositionNotes) => Promise<number>;
  readonly begin: (owner: Owner, beginning: Beginning & { readonly last: number }) => Promise<Beginning>;
  readonly set: (owner: Owner, completeUpTo: number, incarnations: readonly Incarnation[]) => Promise<void>;
  readonly passLost: (owner: Owner, range: LostRange) => Promise<void>;
  readonly cut: (owner: Owner, end: number, incarnations: readonly Incarnation[]) => Promise<number>;
}

/** Reads a producer's position, and marks that a consumer has begun and not finished. */
export async function takeUpPosition({ database, producer, lease }: PositionOwner): Promise<Position> {
  const ahead = await numbersAhead({ database, producer });
  const row = await database.maybeOne(sql.prepared('take-up-position', PositionRow)`
    with held as (${heldLease(lease)}), before as (
      select complete_up_to, incarnations, clean from consumer_position where producer = ${producer}
    ), begun as (
      insert into consumer_position (producer, clean) select ${producer}, false from held
      on conflict (producer) do update set clean = false
    )
    select complete_up_to, coalesce(incarnations, '[]') as incarnations, coalesce(clean, true) as clean from held left join before on true`);
  if (!row) throw new LostLease();
  return positionOf(row, ahead);
}

/**
 * Returns the numbers in the inbox above the position. Read it before the position: the incarnation of a number is recorded before its
 * event is processed, by other parts too.
 */
export const numbersAhead = ({ database, producer }: Pick<PositionOwner, 'database' | 'producer'>): Promise<readonly number[]> =>
  database.anyFirst(sql.prepared('numbers-ahead', z.object({ number: z.number() }))`
    select number from inbox where producer = ${producer}
      and number > coalesce((select complete_up_to from consumer_position where producer = ${producer}), 0)
    order by number`);

export const positionOf = ({ complete_up_to, incarnations, clean }: z.output<typeof PositionRow>, ahead: readonly number[]): Position => ({
  completeUpTo: complete_up_to,
  incarnations,
  ahead: new Set(ahead.filter((number) => number > (complete_up_to ?? 0))),
  clean: clean || complete_up_to === null,
});

export interface PositionNotes extends Pick<Completeness, 'last' | 'missing' | 'missing_since'> {
  readonly incarnations: readonly Incarnation[];
  readonly clean: boolean;
}

/**
 * Every number to `upTo` was passed on to be processed, was in the inbox before, or belongs to another part; `numbers` are those passed on.
 */
export interface PassedOn {
  readonly upTo: number;
  readonly numbers: readonly number[];
}

export const MovedPosition = z.object({ complete_up_to: z.number() });

export const completeSql = (producer: ServiceName, { upTo, numbers }: PassedOn) => sql.fragment`coalesce((
        select min(passed.number) - 1 from unnest(${sql.array([...numbers], 'int8')}) as passed (number)
        where not exists (select from inbox i where i.producer = ${producer} and i.number = passed.number)), ${upTo})`;

export async function movePosition(
  { database, producer, lease }: PositionOwner,
  passed: PassedOn,
  { incarnations, last, missing, missing_since, clean }: PositionNotes,
): Promise<number> {
  const moved = await database.maybeOneFirst(sql.prepared('move-position', MovedPosition)`
    update consumer_position set
      complete_up_to = ${completeSql(producer, passed)},
      incarnations = ${sql.jsonb(incarnations)}, last = ${last}, missing = ${missing}, missing_since = ${missing_since}, clean = ${clean}
    where producer = ${producer} and exists (${heldLease(lease)})
    returning complete_up_to`);
  if (moved === null) throw new LostLease();
  return moved;
}

export interface LostRange {
  readonly from: number;
  readonly to: number;
  readonly before: string | null;
}

export async function passLostRange({ database, producer, lease }: PositionOwner, { from, to, before }: LostRange): Promise<void> {
  await database.transaction(async (tx) => {
    await change(
      tx,
      sql.type(NoColumns)`
      update consumer_position set complete_up_to = ${to} where producer = ${producer} and exists (${heldLease(lease)})`,
    );
    await tx.query(sql.type(NoColumns)`
      insert into lost_range (producer, first_number, last_number, published_before) values (${producer}, ${from}, ${to}, ${before})
      on conflict do nothing`);
  });
}

/** `last` is the last number that the producer has given, 0 for none yet. */
export async function beginPosition(
  { database, producer, lease }: PositionOwner,
  { completeUpTo, incarnations, last }: Beginning & { readonly last: number },
): Promise<Beginning> {
  await change(
    database,
    sql.type(NoColumns)`
    update consumer_position set complete_up_to = ${completeUpTo}, incarnations = ${sql.jsonb(incarnations)}, last = ${last}
    where producer = ${producer} and exists (${heldLease(lease)})`,
  );
  return { completeUpTo, incarnations };
}

export interface Beginning {
  readonly completeUpTo: number;
  readonly incarnations: readonly Incarnation[];
}

export async function setPosition(
  { database, producer, lease }: PositionOwner,
  completeUpTo: number,
  incarnations: readonly Incarnation[],
): Promise<void> {
  await change(
    database,
    sql.type(NoColumns)`
    update consumer_position set complete_up_to = ${completeUpTo}, incarnations = ${sql.jsonb(incarnations)}
    where producer = ${producer} and exists (${heldLease(lease)})`,
  );
}

export async function change(connection: Pick<CommonQueryMethods, 'query'>, statement: QuerySqlToken): Promise<void> {
  const { rowCount } = await connection.query(statement);
  if (rowCount === 0) throw new LostLease();
}

/** Removes the numbers above `end`, which the producer's database gives to no event or to others, from the inbox, and returns how many. */
export async function cutPosition(
  { database, producer, lease }: PositionOwner,
  end: number,
  incarnations: readonly Incarnation[],
): Promise<number> {
  return await database.transaction(async (tx) => {
    await change(
      tx,
      sql.type(NoColumns)`
      update consumer_position set complete_up_to = least(complete_up_to, ${end}), incarnations = ${sql.jsonb(incarnations)}
      where producer = ${producer} and exists (${heldLease(lease)})`,
    );
    const { rowCount } = await tx.query(sql.type(NoColumns)`
      update inbox set number = null where producer = ${producer} and number > ${end}`);
    return rowCount;
  });
}

export const wholePositions: Positions = {
  takeUp: takeUpPosition,
  move: movePosition,
  begin: beginPosition,
  set: setPosition,
  passLost: passLostRange,
  cut: cutPosition,
};

const CompletenessRow = z.object({
  producer: z.string(),
  complete_up_to: z.number().nullable(),
  last: z.number().nullable(),
  missing: z.number(),
  missing_since: z.string().nullable(),
  unknown: z.number(),
  lost: z.array(z.object({ from: z.number(), to: z.number(), before: z.string().nullable(), noticed_at: z.string() })),
});

export async function readCompleteness(database: Database): Promise<Completeness[]> {
  const rows = await database.any(sql.prepared('read-completeness', CompletenessRow)`
    select p.producer, p.complete_up_to, p.last, p.missing, ${instantOf(sql.fragment`p.missing_since`)} as missing_since,
      (select count(*) from inbox i where i.number is null and i.producer = p.producer) as unknown,
      (select coalesce(jsonb_agg(jsonb_build_object('from', l.first_number, 'to', l.last_number,
          'before', ${instantOf(sql.fragment`l.published_before`)}, 'noticed_at', ${instantOf(sql.fragment`l.noticed_at`)}) order by l.first_number), '[]')
        from lost_range l where l.producer = p.producer) as lost
    from consumer_position p order by p.producer`);
  return rows.map(({ producer, ...row }) => ({ ...row, producer: producer as ServiceName }));
}
