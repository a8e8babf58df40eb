import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const text = z.string().nullable();
const Branding = z.object({
  logo_url: text,
  primary_color: text,
  secondary_color: text,
  background_type: z.string(),
  background_image_url: text,
  background_color: text,
  stamp_visual: text,
  store_template: text,
});

/** How many stamps a store lets customers request at once. */
const MultiStamp = z.object({
  enabled: z.boolean(),
  entitled: z.boolean(),
  max_request: z.number(),
  monthly_ceiling: z.number(),
  staff_card_without_tap: z.enum(['refuse', 'accept']).default('refuse'),
});

const StampingStore = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  live: z.boolean(),
  timeZone: z.string(),
  branding: Branding,
  enabled: z.boolean(),
  goal: z.number(),
  /** Null for unlimited. */
  monthlyStampQuota: z.number().nullable(),
  nfcEnforced: z.boolean(),
  multiStamp: MultiStamp.nullable(),
});
/** A store with its programme. `enabled` is false for a store without one. */
export type StampingStore = z.output<typeof StampingStore>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a condition on `store s` that matches its id or its short code, in any case, and which of the two it is, for the statement's name. */
export const storeNamed = (named: string) =>
  uuid.test(named)
    ? ({ by: 'id', match: sql.fragment`s.id = ${named}` } as const)
    : ({ by: 'code', match: sql.fragment`upper(s.code) = upper(${named})` } as const);

/** Finds a store by its id or its short code, in any case. Null when there is none. */
export async function findStore(queries: Queries, named: string): Promise<StampingStore | null> {
  const { by, match } = storeNamed(named);
  return await queries.maybeOne(sql.prepared(`store-by-${by}`, StampingStore)`
    select s.id, s.code, s.name, s.live, s.time_zone as "timeZone", s.branding, coalesce(p.enabled, false) as enabled, coalesce(p.goal, 0) as goal,
      p.monthly_stamp_quota as "monthlyStampQuota", coalesce((p.settings ->> 'nfc_enforced')::boolean, false) as "nfcEnforced", p.settings -> 'multi_stamp' as "multiStamp"
    from store s left join programme p on p.store_id = s.id
    where ${match} order by s.id limit 1`);
}
