import { sql } from 'slonik';
import { NoColumns } from '../database/columns.ts';
import type { Queries, Transaction } from '../database/database.ts';

export interface NewDeadLetter {
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly payload: string;
  readonly error: string;
  readonly attempts: number;
}

/** Writes a dead letter, or reopens the one with this id. Call it in the transaction that gives up the work. */
export async function writeDeadLetter(tx: Queries, { eventId, type, subject, payload, error, attempts }: NewDeadLetter): Promise<void> {
  await tx.query(sql.type(NoColumns)`
    insert into dead_letter (event_id, type, subject, payload, error, attempts)
    values (${eventId}, ${type}, ${subject}, ${withoutNul(payload)}, ${withoutNul(error)}, ${attempts})
    on conflict (event_id) do update
    set error = excluded.error, attempts = dead_letter.attempts + excluded.attempts, dead_lettered_at = clock_timestamp(),
        settled_at = null, settled_as = null, settled_by = null, settled_reason = null`);
}

/** A text in Postgres cannot hold a NUL character. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

/** Retries a service's own kinds of dead letters, by type, in the transaction that settles them. A throw leaves them open. */
export type DeadLetterHandlers<Context> = Readonly<Record<string, (id: string, tx: Transaction, context: Context) => Promise<void>>>;
