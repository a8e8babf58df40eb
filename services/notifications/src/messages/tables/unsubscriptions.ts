import type { Queries } from '@corner/chassis';
import { languages } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const Subscriber = z.object({ store_name: z.string(), language: z.enum(languages) });

/** Reads a store's name and the customer's language, which is the store's when it is unknown. Null for an unknown store. */
export const selectSubscriber = (
  database: Queries,
  { customerId, storeId }: { readonly customerId: string; readonly storeId: string },
): Promise<z.output<typeof Subscriber> | null> =>
  database.maybeOne(sql.prepared('select-subscriber', Subscriber)`
    select s.name as store_name, coalesce(c.language, s.language) as language
    from store s left join customer c on c.id = ${customerId}
    where s.id = ${storeId}`);
