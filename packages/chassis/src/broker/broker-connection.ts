import { type Broker, type BrokerOptions, connectBroker } from './broker.ts';

/** A connection to the broker that is being made in the background. Disposal gives up waiting, or closes the connection. */
export interface BrokerConnection extends AsyncDisposable {
  readonly broker: Promise<Broker>;
  current(): Broker | null;
  giveUpWaiting(): void;
}

/** Begins to connect and returns at once: a service starts and serves requests while its broker is away. */
export function beginConnecting(options: Omit<BrokerOptions, 'stopped'>): BrokerConnection {
  const stop = new AbortController();
  let connected: Broker | null = null;
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
