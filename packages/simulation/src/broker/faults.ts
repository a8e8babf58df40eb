import type { Producer, ServiceName } from '@corner/contracts';

export type PublicationFate = 'stored' | 'acknowledgement lost' | 'lost';
export type RequestFate = 'carried' | 'lost' | 'reply lost';

export interface BrokerFaults {
  publication(producer: Producer): PublicationFate;
  request(subject: string): RequestFate;
  losesAck(service: ServiceName): boolean;
}

export const noFaults: BrokerFaults = { publication: () => 'stored', request: () => 'carried', losesAck: () => false };
