import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Both addresses of `localhost`: a browser may try either. */
const addresses = ['127.0.0.1', '::1'];
/** How many ports after the preferred one are tried before any free port is taken. */
const neighbours = 50;
/** Any port is one of these: operating systems give outgoing connections ports above them, and such a connection would take the port before the server listens. */
const anyFrom = 10_000;
const anyBelow = 32_000;
/** How many of them are tried before the operating system chooses. */
const anyTries = 100;

/**
 * Finds a port on which no process of this machine listens: the preferred one, else one of the next, else any. `given` holds
 * ports that are reserved for servers which do not listen yet; the result is added to it. The preferred port 0 means any.
 */
export async function findPort(preferred: number, given: Set<number>): Promise<number> {
  for (let port = preferred; preferred > 0 && port < preferred + neighbours; port += 1) {
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
    given.delete(port);
  }
  for (let tries = 0; tries < anyTries; tries += 1) {
    const port = randomInt(anyFrom, anyBelow);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
    given.delete(port);
  }
  const any = await listenOnce(0, '127.0.0.1');
  if (any === null) throw new Error('no port could be opened on 127.0.0.1');
  if (given.has(any)) return await findPort(0, given);
  given.add(any);
  return any;
}

/** Whether no process listens on the port, under either address of this machine. */
export async function isFree(port: number): Promise<boolean> {
  for (const address of addresses) if ((await listenOnce(port, address)) === null) return false;
  return true;
}

/** Listens for a moment. Returns the port, or null when another process has it. An address that this machine lacks counts as free. */
function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES' ? null : port));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
