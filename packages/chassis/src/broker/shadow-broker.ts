import { eventsRead, rpcSubject, services } from '@corner/contracts';
import { UnfitStream } from './broker.ts';
import type { BrokerConnection } from './broker-connection.ts';
import type { NatsBroker } from './nats-broker.ts';

const reads: ReadonlySet<string> = new Set(services.map((service) => rpcSubject(eventsRead(service))));

class Silenced extends Error {
  override readonly name = 'Silenced';
}

/**
 * Returns a shadow's broker. It reads streams and requests events from producers. It publishes nothing, answers no request, calls no other
 * service, and takes no delivery from the consumer of the service that runs.
 */
export function silenced(broker: NatsBroker): NatsBroker {
  const allowed = new Set([...reads].map((subject) => broker.subject(subject)));
  const refuse = (what: string) => Promise.reject(new Silenced(`a shadow ${what}`));
  return Object.assign(Object.create(broker) as NatsBroker, {
    publish: () => refuse('publishes nothing'),
    findConsumer: () => Promise.reject(new UnfitStream('a shadow reads from the producers')),
    request: (...[subject, body, options]: Parameters<NatsBroker['request']>) =>
      allowed.has(subject) ? broker.request(subject, body, options) : refuse('calls no one'),
    subscribe: () => ({ isClosed: () => false, unsubscribe() {}, drain: async () => {} }),
  });
}

export const silencedConnection = (connection: BrokerConnection): BrokerConnection => {
  const broker = connection.broker.then(silenced);
  broker.catch(() => {}); // As of the connection itself.
  let current: NatsBroker | null = null;
  return {
    broker,
    current: () => {
      const connected = connection.current();
      current ??= connected && silenced(connected);
      return current;
    },
    giveUpWaiting: connection.giveUpWaiting,
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
};
