import type { Producer, ServiceName } from '@corner/contracts';

/** What happens to a publication on its way. */
export type PublicationFate = 'stored' | 'acknowledgement lost' | 'lost';
/** What happens to a request on its way. */
export type RequestFate = 'carried' | 'lost' | 'reply lost';

/** What goes wrong at a broker. Each is asked once for each message. */
export interface BrokerFaults {
  publication(producer: Producer): PublicationFate;
  request(subject: string): RequestFate;
  /** Whether an acknowledgement of a service gets lost, so that the event comes again. */
  losesAck(service: ServiceName): boolean;
}

export const noFaults: BrokerFaults = { publication: () => 'stored', request: () => 'carried', losesAck: () => false };
