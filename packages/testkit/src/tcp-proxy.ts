import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A TCP proxy between a service and a server. A test can make it slow, cut it, leave its connections open and dead, and mend it. */
export interface TcpProxy extends AsyncDisposable {
  /** The server's address, with the proxy's port. */
  readonly url: string;
  /** Sets how many milliseconds each piece of data takes from now on, in each direction. */
  delay(milliseconds: number): void;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Connections stay open and transport nothing, as when the other machine has disappeared. What is sent meanwhile is lost. */
  deaden(): void;
  mend(): void;
  /** Passes nothing on, in either direction, until `thaw`; what was sent meanwhile then arrives. Connections stay open. */
  freeze(): void;
  thaw(): void;
  /**
   * Passes nothing on any more over the connections that are open now, and does not close them: neither side learns of it. New ones work.
   * With `serverGivesUpMs` the server's side ends after so long, as when the server's kernel looks whether its client is alive.
   */
  strand(serverGivesUpMs?: number): void;
  /** Connects to the server at another address from now on. Connections that are open stay where they are. */
  redirect(serverUrl: string): void;
}

export interface TcpProxyOptions {
  readonly cut?: boolean;
  /** Called for each connection; what it returns gets the bytes that the client sends. */
  readonly watch?: () => (bytes: Buffer) => void;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  stranded: boolean;
}

/** Starts a proxy to a server. */
export async function tcpProxyTo(serverUrl: string, { cut = false, watch }: TcpProxyOptions = {}): Promise<TcpProxy> {
  let target = new URL(serverUrl);
  const pairs = new Set<Pair>();
  let state: 'whole' | 'cut' | 'dead' = cut ? 'cut' : 'whole';
  let delayMs = 0;
  let thawed: PromiseWithResolvers<void> | null = null;

  const listener = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const pair: Pair = { near: near.setNoDelay(true), far, stranded: false };
    pairs.add(pair);
    if (watch) near.on('data', watch());
    passOn(pair, near, far);
    passOn(pair, far, near);
  });

  function passOn(pair: Pair, from: Socket, to: Socket): void {
    let last: Promise<unknown> = idle;
    const isPassing = () => state !== 'dead' && !pair.stranded;
    const next = (step: () => void): void => {
      if (delayMs === 0 && thawed === null && last === idle) {
        step();
        return;
      }
      const own = Promise.all([last, delayMs > 0 ? pause(delayMs) : null, thawed?.promise]).then(() => {
        if (isPassing()) step();
        if (last === own) last = idle;
      });
      last = own;
    };
    from.on('data', (data) => {
      if (isPassing()) next(() => to.write(data));
    });
    from.on('error', () => {});
    from.on('close', () => {
      if (isPassing()) next(() => to.destroy());
      if (pair.near.destroyed && pair.far.destroyed) pairs.delete(pair);
    });
  }

  const end = () => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  };

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    cut() {
      state = 'cut';
      end();
    },
    deaden() {
      state = 'dead';
    },
    mend() {
      state = 'whole';
    },
    freeze() {
      thawed = Promise.withResolvers();
    },
    thaw() {
      thawed?.resolve();
      thawed = null;
    },
    strand(serverGivesUpMs) {
      const stranded = [...pairs];
      for (const pair of stranded) pair.stranded = true;
      if (serverGivesUpMs === undefined) return;
      setTimeout(() => {
        for (const { far } of stranded) far.destroy();
      }, serverGivesUpMs).unref();
    },
    redirect(otherUrl) {
      target = new URL(otherUrl);
    },
    async [Symbol.asyncDispose]() {
      state = 'cut';
      listener.close();
      end();
    },
  };
}

/** Nothing is under way on a connection. */
const idle = Promise.resolve();
