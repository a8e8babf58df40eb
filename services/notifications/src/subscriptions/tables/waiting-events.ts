import { type FragmentSqlToken, sql } from 'slonik';

export interface StoreEvent {
  readonly store_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly object: string;
  readonly at: string;
  readonly data: unknown;
}

/** A part of a statement: inserts the events of stores that have a webhook, in order; returns a row for each. */
export function waitingEventsSql(events: readonly StoreEvent[]): FragmentSqlToken {
  const stores = sql.array([...new Set(events.map(({ store_id }) => store_id))], 'uuid');
  return sql.fragment`
    insert into waiting_event (store_id, event_id, type, version, object, at, data)
    -- The id of a card holds that of its customer; its hash says as well which events are of one object.
    select e.store_id, e.event_id, e.type, e.version, md5(e.object), e.at, e.data
    -- As text, they are parsed only if one of the stores has a webhook: most have none.
    from rows from (jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) as (
      store_id uuid, event_id uuid, type text, version integer, object text, at timestamptz, data jsonb))
      with ordinality as e (store_id, event_id, type, version, object, at, data, place)
    where (select exists (select from webhook w where w.store_id = any(${stores}) and w.ended_at is null))
      and (select true from webhook w where w.store_id = e.store_id and w.ended_at is null limit 1)
    order by e.place
    returning 1`;
}
