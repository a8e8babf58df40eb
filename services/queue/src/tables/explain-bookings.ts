import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({ at: z.string(), sentence: z.string(), of: z.string(), store_id: z.string(), customer_id: z.string().nullable() });

const mostBookings = 20;

/**
 * Finds bookings by event id, appointment id or session, and a customer's newest. Appointment ids are credentials and are not returned;
 * guests are not named.
 */
export async function explainBookings(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.prepared('explain-bookings', Fact)`
    with b as (
      select x.*, s.unit_id, s.starts_at, s.ends_at from unnest(${uuids}) as n(id) cross join lateral (
        (select * from session_booking where id = n.id)
        union
        (select * from session_booking where appointment_id = n.id)
        union
        (select * from session_booking where session_id = n.id limit 200)
        union
        (select * from session_booking where customer_id = n.id order by made_at desc limit ${mostBookings})
      ) x cross join lateral (select unit_id, starts_at, ends_at from session where id = x.session_id limit 1) s
    ), fact (at, sentence, of) as (
      select b.made_at, coalesce('Customer ' || b.customer_id, 'A guest') || ' booked a time of chair ' || b.unit_id || ' at store ' || b.store_id
        || ' for ' || b.party_size || '; the booking is now ' || b.status || '.', b.id
      from b
      union all
      select b.starts_at, 'The time of the booking begins, and lasts until ' || to_char(b.ends_at at time zone 'utc', 'HH24:MI') || '.', b.id from b
      union all
      select b.ended_at, 'The booking ended: ' || b.status || '.', b.id from b where b.ended_at is not null
    )
    select distinct ${instantOf(sql.fragment`at`)} as at, sentence, of, b.store_id, b.customer_id
    from fact join b on b.id = of order by at limit 500`);
  return { facts, also: [...new Set(facts.map(({ of }) => of))] };
}
