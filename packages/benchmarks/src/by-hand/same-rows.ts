import pg from 'pg';
import type { HandDatabase } from './hand-database.ts';
import type { OrderKind } from './order-writes.ts';

export async function expectSameRows(database: pg.Pool, hand: HandDatabase, kind: OrderKind): Promise<void> {
  const client = new pg.Client({ connectionString: hand.url });
  await client.connect();
  try {
    const [ours, theirs] = [await rowsOf(database, 'orders.', kind), await rowsOf(client, '', kind)];
    if (ours !== theirs) throw new Error(`orders keeps ${ours} of a ${kind} order, and by hand ${theirs} were written`);
  } finally {
    await client.end();
  }
}

async function rowsOf(database: pg.Pool | pg.Client, schema: string, kind: OrderKind): Promise<string> {
  const count = (table: string, where = 'order_id = o.id') => `'${table}', (select count(*) from ${schema}${table} where ${where})`;
  const { rows } = await database.query<{ rows: string }>(
    `select jsonb_build_object(${count('order_line')}, ${count('hold')}, ${count('log_entry')}, ${count('ledger')},
       ${count('outbox', "aggregate_id = o.id::text and type = 'order.paid'")},
       ${count('provider_call', "reference = o.id::text and purpose = 'intent'")})::text as rows
     from ${schema}orders o where payment_status = 'paid' and (total_pence > 0) = $1 order by id desc limit 1`,
    [kind === 'paid'],
  );
  return rows[0]?.rows ?? 'nothing';
}
