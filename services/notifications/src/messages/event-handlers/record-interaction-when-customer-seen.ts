import { onAll } from '@corner/chassis';
import { customerSeen } from '@corner/contracts';
import { interactionAt, recordEvents } from '../transactions/record-events.ts';

/** Records that a customer has interacted with a store, so that their list of preferences contains it. */
export const recordInteractionWhenCustomerSeen = onAll(customerSeen, ({ data, time }) => interactionAt(time, data), recordEvents);
