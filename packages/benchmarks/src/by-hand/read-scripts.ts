import pg from 'pg';
import type { Statement } from '../plans/sent-statement.ts';
import { getOrderStatement, stampStatements } from '../plans/service-statements.ts';

export interface ReadSubject {
  readonly storeId: string;
  readonly orderId: string;
  readonly customerId: string;
}

export interface ReadScript {
  readonly schema: string;
  readonly script: string;
}

/**
 * The statements that the services send for a read, by the read's name, as pgbench scripts on the service's own tables; those of queue and
 * notifications in their shortest form.
 */
export async function readScripts({ storeId, orderId, customerId }: ReadSubject): Promise<Readonly<Record<string, ReadScript>>> {
  const [store, customer] = [storeId, customerId].map((id) => pg.escapeLiteral(id));
  const state = (await stampStatements(storeId, customerId))['customer-state'];
  if (!state) throw new Error('loyalty has no statement of that name');
  return {
    'get order': { schema: 'orders', script: withValues(await getOrderStatement(storeId, orderId)) },
    'customer-state': { schema: 'loyalty', script: withValues(state) },
    'queue status': {
      schema: 'queue',
      script: `select * from entry where store_id = ${store} and customer_id = ${customer} and status in ('waiting', 'called', 'assigned');
        select s.hours, s.time_zone, s.live, s.called_hold_minutes, f.services, f.units, (select coalesce(jsonb_agg(to_jsonb(e)), '[]')
          from entry e where e.store_id = s.id and e.status in ('waiting', 'called', 'assigned')) from store s left join floor f on f.store_id = s.id
          where s.id = ${store};`,
    },
    preferences: {
      schema: 'notifications',
      script: `select i.store_id, s.name, p.* from interaction i left join store s on s.id = i.store_id
        left join preference p on p.customer_id = i.customer_id and p.store_id = i.store_id where i.customer_id = ${customer} order by s.name;`,
    },
  };
}

const withValues = ({ sql, values }: Statement): string =>
  `${sql
    .replaceAll(/--[^\n]*\n/g, '\n')
    .replaceAll(/\$slonik_(\d+)/g, (_all, n: string) => literal(values[Number(n) - 1]))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, withoutColons)};`;

/** pgbench takes a name after a colon for its own variable, also inside a text. */
const withoutColons = (text: string): string => (text.includes(':') ? `E${text.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}` : text);

const literal = (value: unknown): string => (value === null || value === undefined ? 'null' : pg.escapeLiteral(String(value)));
