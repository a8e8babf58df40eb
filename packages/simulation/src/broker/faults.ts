import type { Producer, ServiceName } from '@corner/contracts';

/** A publication is stored, or stored without its acknowledgement arriving, or lost on its way. */
export type PublicationFate = 'stored' | 'acknowledgement lost' | 'lost';
export type RequestFate = 'carried' | 'lost' | 'reply lost';

/** The faults of a broker. Each method is called once for each message. */
export interface BrokerFaults {
  publication(producer: Producer): PublicationFate;
  request(subject: string): RequestFate;
  losesAck(service: ServiceName): boolean;
}

export const noFaults: BrokerFaults = { publication: () => 'stored', request: () => 'carried', losesAck: () => false };
