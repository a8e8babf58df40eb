import type { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';

/** A request that was not granted, as it is kept for whoever asks by its id. */
export interface Refusal {
  readonly requestId: string;
  readonly at: Date;
  /** Method and route, never the path: paths hold ids that open things. */
  readonly operation: string;
  readonly problem: Problem;
  /** What a person is told of it. */
  readonly message: string;
  readonly orderId: string | null;
  readonly traceId: string | null;
}

/** Where refusals are kept. */
export interface Refusals extends AsyncDisposable {
  /** Returns at once; the refusal is written within a moment, with others. */
  note(refusal: Refusal): void;
}

/** Milliseconds refusals are gathered for. */
const gatherMs = 250;
/** Refusals written at once. A flood beyond it is known by its first hundreds and by its metric. */
const most = 100;

/**
 * Keeps refusals in batches, after their answers have gone: no request waits for it, and a database in trouble costs nothing
 * but the record.
 */
export function keepRefusals(database: Database, log: Log): Refusals {
  let gathered: Refusal[] = [];
  let beyond = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = () => {
    timer = null;
    const [batch, dropped] = [gathered, beyond];
    gathered = [];
    beyond = 0;
    if (dropped > 0) log.warn({ dropped }, 'more requests were refused at once than are kept');
    if (batch.length > 0)
      writing = write(database, batch).catch((error) => log.warn({ err: error, refusals: batch.length }, 'refusals could not be kept'));
  };

  return {
    note(refusal) {
      if (gathered.length >= most) beyond += 1;
      else gathered.push(refusal);
      timer ??= setTimeout(flush, gatherMs);
    },
    async [Symbol.asyncDispose]() {
      if (timer) clearTimeout(timer);
      await writing;
      flush();
      await writing;
    },
  };
}

async function write(database: Database, refusals: readonly Refusal[]): Promise<void> {
  const rows = refusals.map(({ requestId, at, operation, problem, message, orderId, traceId }) => ({
    request_id: requestId,
    at: at.toISOString(),
    operation,
    status: problem.status,
    code: problem.code,
    message: message.slice(0, 500).replaceAll('\0', '\ufffd'),
    order_id: orderId,
    trace_id: traceId,
  }));
  await database.query(sql.prepared('keep-refusals', z.object({}))`
    insert into refusal (request_id, at, operation, status, code, message, order_id, trace_id)
    select * from jsonb_to_recordset(${sql.jsonb(rows)}) as (
      request_id text, at timestamptz, operation text, status smallint, code text, message text, order_id uuid, trace_id text)`);
}
