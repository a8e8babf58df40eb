import { erasedEvent, inTurn } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf } from '../events.ts';
import type { Running } from '../running.ts';

export function erasureOf(running: Running, customerId: string) {
  let begun = false;
  const consume = inTurn(running.consume);
  return {
    get refusals(): readonly string[] {
      return begun ? ['UNAUTHENTICATED'] : [];
    },
    steps: {
      async erase() {
        begun = true;
        await consume(erasedEvent(customerId));
      },
      async profile({ version }: { readonly version: number }) {
        await consume(customerOf(customerId, { version, name: 'Zed', phone: '+447700900777' }));
      },
    },
    left: async (): Promise<readonly string[]> =>
      begun
        ? await running.service.database.anyFirst(sql.type(z.object({ what: z.string() }))`
            select 'an erased customer has a profile' as what from customer where id = ${customerId}
            union all select 'an erased customer has a device' from device_use where customer_id = ${customerId}
            union all select 'a code names the device of an erased customer' from stamp_code
              where customer_id = ${customerId} and num_nonnulls(device, location_info) > 0`)
        : [],
  };
}
