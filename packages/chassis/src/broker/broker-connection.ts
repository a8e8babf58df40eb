import type { Broker } from './broker.ts';
import { type BrokerOptions, connectBroker, type NatsBroker } from './nats-broker.ts';

export interface BrokerConnection extends AsyncDisposable {
  readonly broker: Promise<NatsBroker>;
  current(): NatsBroker | null;
  giveUpWaiting(): void;
}

/**
 * Returns at once, so that a service starts and serves requests while its broker is away. Disposal gives up waiting, or closes the
 * connection.
 */
export function beginConnecting(options: Omit<BrokerOptions, 'stopped'>): BrokerConnection {
  const stop = new AbortController();
  let connected: NatsBroker | null = null;
  const broker = connectBroker({ ...options, stopped: stop.signal }).then((reached) => {
    connected = reached;
    return reached;
  });
  broker.catch(() => {}); // The rejection still reaches every caller that awaits `broker`.
  return {
    broker,
    current: () => connected,
    giveUpWaiting: () => stop.abort(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await broker.then(
        (reached) => reached[Symbol.asyncDispose](),
        () => {},
      );
    },
  };
}

export function connectedTo(given: Broker): BrokerConnection {
  const broker = given as NatsBroker;
  return {
    broker: Promise.resolve(broker),
    current: () => broker,
    giveUpWaiting() {},
    [Symbol.asyncDispose]: async () => await broker[Symbol.asyncDispose](),
  };
}
