import { hash } from 'node:crypto';
import { type Log, measure } from '@corner/chassis/edge';
import pg from 'pg';
import type { Policy } from './buckets.ts';

/** One bucket of a request. One that only must not be empty is looked at, and nothing taken. */
export interface SharedDraw {
  readonly key: string;
  readonly policy: Policy;
  readonly takes: boolean;
}

export interface Drawn {
  readonly admitted: boolean;
  /** What each bucket holds now, in the order they were asked for. */
  readonly levels: readonly number[];
}

/** Buckets that all gateways draw from. */
export interface SharedBuckets extends AsyncDisposable {
  /**
   * Takes a token from each bucket asked for, or from none when one is empty. Never rejects: null when the database cannot
   * say in time, and for a second after that, so that its trouble costs few requests a wait.
   */
  draw(draws: readonly SharedDraw[]): Promise<Drawn | null>;
  /** Deletes buckets that are full again; they are what is no row at all. */
  sweep(): Promise<void>;
  /** Why the database could not be asked when it was last tried; null when it could. */
  readonly fault: string | null;
}

export interface SharedBucketsOptions {
  readonly url: string;
  readonly log: Log;
  /** Milliseconds; only for how long a database in trouble is left alone. Buckets go by the database's own clock. */
  readonly now: () => number;
  /** Milliseconds a draw may take. */
  readonly patienceMs: number;
}

const restMs = 1_000;
const sweepMs = 60_000;

/** Opens the buckets. Connects when first asked: a gateway starts, and serves, without them. */
export function openSharedBuckets({ url, log, now, patienceMs }: SharedBucketsOptions): SharedBuckets {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'gateway',
    max: 8,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    statement_timeout: 2 * patienceMs,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  });
  pool.on('error', () => {}); // An idle connection that dies is replaced on next use.
  let fault: string | null = null;
  let restUntil = Number.NEGATIVE_INFINITY;

  const ask = async <R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<readonly R[] | null> => {
    if (fault !== null && now() < restUntil) return null;
    try {
      const { rows } = await pool.query<R>(statement);
      if (fault !== null) log.info('rate limits are shared again');
      fault = null;
      return rows;
    } catch (error) {
      measure('corner.limits.faults', 1, {});
      if (fault === null) log.error({ err: error }, 'rate limits cannot be shared: each process counts for itself until they can');
      fault = (error as { readonly code?: string }).code ?? 'no answer in time';
      restUntil = now() + restMs;
      return null;
    }
  };
  const sweep = async (): Promise<void> => {
    await ask({ name: 'bucket-sweep', text: sweepStatement });
  };
  const sweeping = setInterval(sweep, sweepMs).unref();

  return {
    async draw(draws) {
      const rows = await ask<Row>({ name: 'bucket-draw', text: drawStatement, values: valuesOf(draws) });
      return rows && drawn(draws, rows);
    },
    sweep,
    get fault() {
      return fault;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      await pool.end();
    },
  };
}

interface Row {
  readonly taken: boolean;
  readonly level: number;
}

const valuesOf = (draws: readonly SharedDraw[]): unknown[] => [
  draws.map(({ key }) => hash('sha256', key, 'buffer')),
  draws.map(({ policy }) => policy.windowSeconds / policy.limit),
  draws.map(({ policy }) => policy.windowSeconds),
  draws.map(({ takes }) => takes),
];

function drawn(draws: readonly SharedDraw[], rows: readonly Row[]): Drawn {
  const missed = (index: number) => draws[index]?.takes === true && rows[index]?.taken === false;
  const admitted = !draws.some((_, index) => missed(index)) && rows.every(({ level, taken }) => taken || level >= 1);
  const seenEmpty = rows.some(({ level, taken }) => !taken && level < 1);
  // Where all seemed to have room, another request took the last token in between.
  const levels = rows.map(({ level }, index) => (!admitted && !seenEmpty && missed(index) ? 0 : level));
  return { admitted, levels };
}

/**
 * The generic cell rate algorithm, for several buckets in one round trip. All are looked at; if none is empty, one token is
 * taken from each. A row that another request changed in between is judged anew as it then is, so a limit is never
 * exceeded; only then may a request that is refused have paid elsewhere. Rows are locked in the order of their keys.
 */
const drawStatement = `
  with asked as materialized (
    select place, key, draw.every, draw.span, takes, now, greatest(bucket.full_at, now) as full_at
    from unnest($1::bytea[], $2::float8[], $3::float8[], $4::boolean[]) with ordinality as draw (key, every, span, takes, place)
    cross join (select statement_timestamp() as now) as clock
    left join bucket using (key)
  ), taken as (
    insert into bucket as held (key, full_at, every, span)
    select key, now + make_interval(secs => every), every, span
    from asked
    where takes
      and (select bool_and(full_at + make_interval(secs => every) <= now + make_interval(secs => span)) from asked)
    order by key
    on conflict (key) do update
      set full_at = greatest(held.full_at, statement_timestamp()) + make_interval(secs => excluded.every),
          every = excluded.every,
          span = excluded.span
      where greatest(held.full_at, statement_timestamp()) + make_interval(secs => excluded.every)
            <= statement_timestamp() + make_interval(secs => excluded.span)
    returning key, full_at
  )
  select taken.key is not null as taken,
         (extract(epoch from now - coalesce(taken.full_at, asked.full_at)) + span)::float8 / every as level
  from asked left join taken using (key)
  order by place`;

/** Never waits for a row somebody draws from, so it can hold nobody up in a circle. */
const sweepStatement = `
  delete from bucket
  where key in (select key from bucket where full_at < statement_timestamp() limit 10000 for update skip locked)`;
