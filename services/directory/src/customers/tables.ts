import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Known = z.object({ known: z.boolean() });

export const wasMemberOf = (queries: Queries, storeId: string, customerId: string): Promise<boolean> =>
  queries.oneFirst(sql.prepared('was-member-of', Known)`
    select exists (
      select from object o where o.kind = 'customer' and o.id = ${customerId}
        and o.data -> 'memberships' @> jsonb_build_array(jsonb_build_object('store_id', ${storeId}::text))
      union all
      select from change c where c.kind = 'customer' and c.object_id = ${customerId} and c.store_id = ${storeId}
    ) as known`);
