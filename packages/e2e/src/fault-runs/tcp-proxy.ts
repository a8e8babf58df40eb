import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A wire between the services and a server, which can be slow, cut or silent. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Sets how many milliseconds each piece of data takes from now on, in each direction. */
  delay(milliseconds: number): void;
  /** Ends all connections, and each new one at once, until `mend`. */
  cut(): void;
  mend(): void;
  /** Passes nothing on, in either direction, until `thaw`; what was sent meanwhile then arrives. Connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Passes nothing on any more over the connections that are open now, and does not close them: neither side learns of it. New ones work. */
  strand(): void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  stranded: boolean;
}

/** Listens on a free port of this machine, and connects each caller to `target`. */
export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let delayMs = 0;
  let isCut = false;
  let thawed: PromiseWithResolvers<void> | null = null;

  const listener = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const server = connect({ ...target, noDelay: true });
    const pair: Pair = { client: client.setNoDelay(true), server, stranded: false };
    pairs.add(pair);
    passOn(pair, client, server);
    passOn(pair, server, client);
  });

  function passOn(pair: Pair, from: Socket, to: Socket): void {
    let last = Promise.resolve();
    const next = (step: () => void): void => {
      const waited = delayMs > 0 ? pause(delayMs) : null;
      last = Promise.all([last, waited, thawed?.promise]).then(() => {
        if (!pair.stranded) step();
      });
    };
    from.on('data', (data) => next(() => to.write(data)));
    from.on('error', () => {});
    from.on('close', () => {
      next(() => to.destroy());
      pairs.delete(pair);
    });
  }

  const endAll = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  };

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
    },
    freeze() {
      thawed = Promise.withResolvers();
    },
    thaw() {
      thawed?.resolve();
      thawed = null;
    },
    strand() {
      for (const pair of pairs) pair.stranded = true;
    },
    async [Symbol.asyncDispose]() {
      endAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
