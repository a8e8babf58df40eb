import { createServer } from 'node:net';

/** How often a server may find that somebody else took its port between the look and the start. */
const attempts = 20;

/** Thrown by a start that found its port taken; {@link startOnFreePort} then tries another. */
export class PortTaken extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} on 127.0.0.1 is taken`);
    this.name = 'PortTaken';
    this.port = port;
  }
}

/** A port free at this moment: the wished one, else one the system picks. Wish 0 means any. */
export async function freePort(wish = 0): Promise<number> {
  const port = await tryPort(wish);
  if (port !== null) return port;
  const any = await tryPort(0);
  if (any === null) throw new Error('no port could be opened on 127.0.0.1');
  return any;
}

/**
 * Starts something on the wished port, or on another when it is taken. Whoever looks for a free port and then starts can
 * be overtaken, so a start that throws {@link PortTaken} is tried again elsewhere.
 */
export async function startOnFreePort<T>(wish: number, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort(attempt === 1 ? wish : 0));
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
}

/** Listens for a moment; the port, or null when somebody else has it or it may not be had. */
function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}
