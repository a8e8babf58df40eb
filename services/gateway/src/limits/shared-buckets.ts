import { hash } from 'node:crypto';
import { type Log, measure, type Policy, postgresConnection } from '@corner/chassis/edge';
import pg from 'pg';

/** Milliseconds for which a database in trouble is not queried. */
const pauseMs = 1_000;
const sweepMs = 60_000;

/** Opens the buckets. The first query connects, so a gateway starts and serves without the database. */
export function createSharedBuckets({ url, log, now, timeoutMs }: SharedBucketsOptions): SharedBuckets {
  const pool = new pg.Pool({
    ...postgresConnection(url),
    application_name: 'gateway',
    max: 8,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: 2 * timeoutMs,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  });
  pool.on('error', () => {}); // An idle connection that dies is replaced on next use.
  let fault: string | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const query = async <R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<readonly R[] | null> => {
    if (fault !== null && now() < pausedUntil) return null;
    try {
      const { rows } = await pool.query<R>(statement);
      if (fault !== null) log.info('rate limits are shared again');
      fault = null;
      return rows;
    } catch (error) {
      measure('corner.limits.faults', 1, {});
      if (fault === null) log.error({ err: error }, 'rate limits cannot be shared: each process counts for itself until they can');
      fault = (error as { readonly code?: string }).code ?? 'no response in time';
      pausedUntil = now() + pauseMs;
      return null;
    }
  };
  const sweep = async (): Promise<void> => {
    await query({ name: 'bucket-sweep', text: sweepStatement });
  };
  const sweeping = setInterval(sweep, sweepMs).unref();

  return {
    async draw(draws) {
      const rows = await query<Row>({ name: 'bucket-draw', text: drawStatement, values: valuesOf(draws) });
      return rows && resultOf(draws, rows);
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

const valuesOf = (draws: readonly SharedDraw[]): unknown[] => [
  draws.map(({ key }) => hash('sha256', key, 'buffer')),
  draws.map(({ policy }) => policy.windowSeconds / policy.limit),
  draws.map(({ policy }) => policy.windowSeconds),
  draws.map(({ takes }) => takes),
];

function resultOf(draws: readonly SharedDraw[], rows: readonly Row[]): SharedDrawResult {
  const missed = (index: number) => draws[index]?.takes === true && rows[index]?.taken === false;
  const admitted = !draws.some((_, index) => missed(index)) && rows.every(({ level, taken }) => taken || level >= 1);
  const foundEmpty = rows.some(({ level, taken }) => !taken && level < 1);
  // When no bucket was found empty, another request took the last token in between.
  const levels = rows.map(({ level }, index) => (!admitted && !foundEmpty && missed(index) ? 0 : level));
  return { admitted, levels };
}

/**
 * The generic cell rate algorithm for several buckets in one round trip: if none is empty, takes one token from each. Changed rows are
 * checked again, so a limit is never exceeded; only then may a refused request have taken a token. Locks in the order of keys.
 */
const drawStatement = `
  with requested as materialized (
    select place, key, draw.every, draw.span, takes, now, greatest(bucket.full_at, now) as full_at
    from unnest($1::bytea[], $2::float8[], $3::float8[], $4::boolean[]) with ordinality as draw (key, every, span, takes, place)
    cross join (select statement_timestamp() as now) as clock
    left join bucket using (key)
  ), taken as (
    insert into bucket as existing (key, full_at, every, span)
    select key, now + make_interval(secs => every), every, span
    from requested
    where takes
      and (select bool_and(full_at + make_interval(secs => every) <= now + make_interval(secs => span)) from requested)
    order by key
    on conflict (key) do update
      set full_at = greatest(existing.full_at, statement_timestamp()) + make_interval(secs => excluded.every),
          every = excluded.every,
          span = excluded.span
      where greatest(existing.full_at, statement_timestamp()) + make_interval(secs => excluded.every)
            <= statement_timestamp() + make_interval(secs => excluded.span)
    returning key, full_at
  )
  select taken.key is not null as taken,
         (extract(epoch from now - coalesce(taken.full_at, requested.full_at)) + span)::float8 / every as level
  from requested left join taken using (key)
  order by place`;

/** Skips rows that a draw has locked, so it cannot deadlock with one. A full bucket equals no row. */
const sweepStatement = `
  delete from bucket
  where key in (select key from bucket where full_at < statement_timestamp() limit 10000 for update skip locked)`;

/** With `takes` false the bucket must not be empty, but keeps its tokens. */
interface SharedDraw {
  readonly key: string;
  readonly policy: Policy;
  readonly takes: boolean;
}

export interface SharedDrawResult {
  readonly admitted: boolean;
  readonly levels: readonly number[];
}

export interface SharedBuckets extends AsyncDisposable {
  /**
   * Takes one token from each bucket, or from none when one is empty. Never rejects: null when the database is late, and for a second after
   * that without a query.
   */
  draw(draws: readonly SharedDraw[]): Promise<SharedDrawResult | null>;
  sweep(): Promise<void>;
  readonly fault: string | null;
}

export interface SharedBucketsOptions {
  readonly url: string;
  readonly log: Log;
  /** Milliseconds; decides only when a database in trouble is queried again. Buckets use the database's clock. */
  readonly now: () => number;
  readonly timeoutMs: number;
}

interface Row {
  readonly taken: boolean;
  readonly level: number;
}
