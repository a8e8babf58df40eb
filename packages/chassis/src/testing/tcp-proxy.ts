import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between a service and a server. A test can cut it, leave its connections open and dead, and mend it. */
export interface TcpProxy extends AsyncDisposable {
  /** The server's address, with the proxy's port. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Connections stay open and transport nothing, as when the other machine has disappeared. */
  deaden(): void;
  mend(): void;
}

export interface TcpProxyOptions {
  readonly cut?: boolean;
  /** Called for each connection; what it returns gets the bytes that the client sends. */
  readonly watch?: () => (bytes: Buffer) => void;
}

/** Starts a proxy to a server, which a test can cut off and mend. */
export async function tcpProxyTo(serverUrl: string, { cut = false, watch }: TcpProxyOptions = {}): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'dead' = cut ? 'cut' : 'whole';
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    if (watch) near.on('data', watch());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (state !== 'dead') to.destroy();
      });
      from.on('data', (bytes) => void (state === 'whole' && to.write(bytes)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
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
    async [Symbol.asyncDispose]() {
      state = 'cut';
      server.close();
      end();
    },
  };
}
