import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Template } from '../rules/template-data.ts';
import { ToggleRow, toggleColumns } from './preferences.ts';

const Device = z.object({ id: z.string(), platform: z.enum(['ios', 'android', 'web']) });

/** By what a customer can be reached, as far as is known. */
const Addresses = z.object({ email: z.string().nullable(), devices: z.array(Device) });
export type Addresses = z.output<typeof Addresses>;

/** The addresses of the row of a table called c: devices in the directory's order, without those that are dead. */
const addressColumns = sql.fragment`
  nullif(c.email, '') as email,
  coalesce((
    select jsonb_agg(d.device order by d.place)
    from jsonb_array_elements(c.push_devices) with ordinality as d (device, place)
    where not exists (select 1 from dead_device x where x.customer_id = c.id and x.device_id = d.device ->> 'id')
  ), '[]'::jsonb) as devices`;

/** By what a customer can be reached now. Nobody knows a stranger. */
export const addressesOf = async (database: Queries, customerId: string): Promise<Addresses> =>
  (await database.maybeOne(
    sql.prepared('addresses-of', Addresses)`select ${addressColumns} from customer c where c.id = ${customerId}`,
  )) ?? {
    email: null,
    devices: [],
  };

const Waiting = ToggleRow.extend({
  ...Addresses.shape,
  id: z.string(),
  event_id: z.string(),
  customer_id: z.string(),
  store_id: z.string(),
  channel: z.enum(['push', 'email']),
  template: z.custom<Template>((name) => typeof name === 'string'),
  facts: z.record(z.string(), z.unknown()),
  topic: z.string(),
  attempts: z.number(),
  due_at: z.string(),
  expires_at: z.string().nullable(),
  outdated: z.boolean(),
  store_name: z.string().nullable(),
  time_zone: z.string(),
  currency: z.string(),
});
/** An errand with everything its delivery depends on, as it is at this moment. */
export type Waiting = z.output<typeof Waiting>;

/** What waits in these topics, oldest first, each with the customer's wishes and addresses and the store's name as they are now. */
export const waitingIn = (database: Queries, topics: readonly string[]): Promise<readonly Waiting[]> =>
  database.any(sql.prepared('waiting-errands', Waiting)`
    select e.id, e.event_id, e.customer_id, e.store_id, e.channel, e.template, e.facts, e.topic, e.attempts, e.due_at, e.expires_at,
      e.sequence < t.sequence as outdated, s.name as store_name, coalesce(s.time_zone, 'Europe/London') as time_zone,
      coalesce(s.currency, 'GBP') as currency, ${toggleColumns}, ${addressColumns}
    from errand e
    join topic t on t.key = e.topic
    left join store s on s.id = e.store_id
    left join customer c on c.id = e.customer_id
    left join preference p on p.customer_id = e.customer_id and p.store_id = e.store_id
    where e.topic = any(${sql.array([...topics], 'text')}) and e.state = 'pending'
    order by e.topic, e.sequence, e.id`);

/** Remembers that a provider no longer knows a device. */
export async function buryDevice(database: Queries, customerId: string, deviceId: string, at: Date): Promise<void> {
  await database.query(sql.prepared('bury-device', z.object({}))`
    insert into dead_device (customer_id, device_id, died_at) values (${customerId}, ${deviceId}, ${at.toISOString()})
    on conflict do nothing`);
}
