import { directoryCustomer, type Envelope } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';

export const customerNamedZed = (id: string, version: number): Envelope =>
  envelopeOf(directoryCustomer, { id, version, name: 'Zed' }, { aggregateId: id, sequence: version, customerId: id });
