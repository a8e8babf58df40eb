import { onAll } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import { interactionAt, recordEvents } from '../transactions/record-events.ts';

/** Records that the customer has interacted with the store where they paid. */
export const recordInteractionWhenOrderPaid = onAll(orderPaid, ({ data }) => interactionAt(data.paid_at, data), recordEvents);
