import { CustomerMessages, Messages } from '@corner/console-api';
import { listMessages, messageChannels, messageStates, type RpcOutput } from '@corner/contracts';
import type { Platform } from '@corner/operator';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { atStore, Id, operator, parsed } from '../http/guards.ts';
import { maskNullable } from './mask.ts';

const after = Id.optional();
const Filter = z.object({
  state: z.enum(messageStates).optional(),
  channel: z.enum(messageChannels).optional(),
  order_id: Id.optional(),
  customer_id: Id.optional(),
  store_id: Id.optional(),
  after,
});
const OfCustomer = z.object({ store_id: Id, customer_id: Id });

export function addMessages(api: Api, { call }: Platform): void {
  api.get('/api/operator/messages', operator('operator:read'), Messages, async ({ request, person }) =>
    masked(await call(listMessages, { ...parsed(Filter, request.query), by: person.subject })),
  );
  api.get('/api/shop/:store_id/customers/:customer_id/messages', atStore, CustomerMessages, async ({ request, person }) => {
    const filter = { ...parsed(OfCustomer, request.params), ...parsed(z.object({ after }), request.query) };
    const reader = person.kind === 'operator' ? {} : { role: person.kind };
    return { ...masked(await call(listMessages, { ...filter, ...reader, by: person.subject })), counts: [] };
  });
}

const masked = ({ messages, ...rest }: RpcOutput<typeof listMessages>): z.input<typeof Messages> => ({
  messages: messages.map((message) => ({ ...message, error: maskNullable(message.error) })),
  ...rest,
});
