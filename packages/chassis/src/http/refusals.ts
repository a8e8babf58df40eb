import type { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { after } from '../async/clock.ts';
import { NoColumns } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { type Log, withLogFields } from '../telemetry/log.ts';

interface Refusal {
  readonly requestId: string;
  readonly at: Date;
  /** Method and route, never the path: a path may hold an id that works as a credential. */
  readonly operation: string;
  readonly problem: Problem;
  readonly message: string;
  readonly orderId: string | null;
  readonly storeId: string | null;
  readonly traceId: string | null;
}

export interface Refusals extends AsyncDisposable {
  record(refusal: Refusal): void;
}

const gatherMs = 250;
/** Refusals that are written together. More are dropped, and counted in the log; the metric counts them all. */
const maxBatch = 100;

/**
 * Records refusals in batches, within {@link gatherMs} after their responses: no request waits for it, and only refusals are lost while the
 * database is away.
 */
export function recordRefusals(database: Database, log: Log): Refusals {
  let gathered: Refusal[] = [];
  let droppedCount = 0;
  let timer: Disposable | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = () => {
    timer = null;
    const [batch, dropped] = [gathered, droppedCount];
    gathered = [];
    droppedCount = 0;
    if (dropped > 0) log.warn({ dropped }, 'more requests were refused at once than are recorded');
    if (batch.length > 0)
      writing = withLogFields({ background: 'refusals' }, () => write(database, batch)).catch((error) =>
        log.warn({ err: error, refusals: batch.length }, 'refusals could not be recorded'),
      );
  };

  return {
    record(refusal) {
      if (gathered.length >= maxBatch) droppedCount += 1;
      else gathered.push(refusal);
      timer ??= after(gatherMs, flush);
    },
    async [Symbol.asyncDispose]() {
      timer?.[Symbol.dispose]();
      await writing;
      flush();
      await writing;
    },
  };
}

async function write(database: Database, refusals: readonly Refusal[]): Promise<void> {
  const rows = refusals.map(({ requestId, at, operation, problem, message, orderId, storeId, traceId }) => ({
    request_id: requestId,
    at: at.toISOString(),
    operation,
    status: problem.status,
    code: problem.code,
    message: message.slice(0, 500).replaceAll('\0', '\ufffd'),
    order_id: orderId,
    store_id: storeId,
    trace_id: traceId,
  }));
  await database.query(sql.prepared('record-refusals', NoColumns)`
    insert into refusal (request_id, at, operation, status, code, message, order_id, store_id, trace_id)
    select * from jsonb_to_recordset(${sql.jsonb(rows)}) as (
      request_id text, at timestamptz, operation text, status smallint, code text, message text, order_id uuid, store_id uuid,
      trace_id text)`);
}
