import { directoryCustomer, type Envelope } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';

/** A snapshot of a customer called Zed. */
export const customerNamedZed = (id: string, version: number): Envelope =>
  envelopeOf(directoryCustomer, { id, version, name: 'Zed' }, { aggregateId: id, sequence: version, customerId: id });
