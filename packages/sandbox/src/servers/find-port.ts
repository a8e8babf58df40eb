import { createServer } from 'node:net';

/** Both spellings of "this machine": a browser that is told `localhost` may try either. */
const addresses = ['127.0.0.1', '::1'];
/** Ports looked at after the wished one before any free port will do. */
const neighbours = 50;

/**
 * A port on which nobody on this machine listens: the wished one, else one of the next, else any. `given` holds ports
 * already promised to somebody who does not listen yet; the answer is added to it. Wish 0 means any.
 */
export async function findPort(wish: number, given: Set<number>): Promise<number> {
  for (let port = wish; wish > 0 && port < wish + neighbours; port += 1) {
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

/** Whether nobody listens on the port, under either address of this machine. */
export async function isFree(port: number): Promise<boolean> {
  for (const address of addresses) if ((await listenOnce(port, address)) === null) return false;
  return true;
}

/** Listens for a moment. Answers the port, null when somebody else has it, and the port for an address this machine lacks. */
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
