import type { Incarnation } from '@corner/contracts';
import type pg from 'pg';
import type { Log } from '../telemetry/log.ts';
import { countRestore } from '../telemetry/restores.ts';

/** With an old `epoch`, a leader that has lost its lock without noticing cannot record a batch. */
export interface Leadership {
  readonly epoch: string;
  readonly snapshot: string;
}

export interface Numbering {
  readonly epoch: string;
  readonly incarnation: Incarnation;
  snapshot: string;
  /** The first number of a batch that the broker has acknowledged and whose acknowledgement the next batch will record; null for none. */
  unrecorded: number | null;
}

export class LostLeadership extends Error {}

export async function lead(client: pg.Client): Promise<Leadership> {
  const { rows } = await client.query<Leadership>('update relay_state set epoch = epoch + 1 returning epoch, snapshot');
  const [leadership] = rows;
  if (!leadership) throw new Error('relay_state has no row: the schema is not migrated');
  return leadership;
}

/**
 * Begins the incarnation under which this leader numbers events; null while there is none to number. Its id is random, so numbers forgotten
 * by a restore or a crash are never mistaken for new ones.
 */
export async function beginNumbering(client: pg.Client, { epoch, snapshot }: Leadership): Promise<Numbering | null> {
  const { rows } = await client.query<{ id: string; begins: string }>({
    name: 'begin-numbering',
    text: `
      insert into relay_incarnation (epoch, begins)
      select epoch, last_number + 1 from relay_state
      where single and epoch = $1 and exists (
        select from outbox where transaction_id >= pg_snapshot_xmin($2::pg_snapshot) and not pg_visible_in_snapshot(transaction_id, $2::pg_snapshot))
      returning id, begins`,
    values: [epoch, snapshot],
  });
  const [row] = rows;
  if (!row) return null;
  // The relay's position need not survive a crash: the next leader renumbers, and inboxes know the events by their ids.
  await client.query('set synchronous_commit = off');
  return { epoch, snapshot, incarnation: { id: row.id, begins: Number(row.begins) }, unrecorded: null };
}

/** For writing every row of the outbox: the limits of the client, fifteen seconds, and of the role are too short. */
const renumberingMs = 3_600_000;

/**
 * Makes the outbox readable after a restore to a server whose transactions are numbered from the start. All kept events are published again
 * under new numbers; inboxes ignore those they know.
 */
export async function renumberAfterDump(client: pg.Client, log: Log): Promise<void> {
  await client.query('set statement_timeout = 0');
  const statement = { text: 'select renumber_outbox() as renumbered', query_timeout: renumberingMs };
  const { rows } = await client.query<{ renumbered: boolean }>(statement);
  await client.query('reset statement_timeout');
  if (!rows[0]?.renumbered) return;
  countRestore('renumbered');
  log.warn('transactions are numbered anew, as after a restore from a dump: publishing the whole outbox again');
}
