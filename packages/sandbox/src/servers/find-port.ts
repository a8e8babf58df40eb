import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

const addresses = ['127.0.0.1', '::1'];
const neighbours = 50;
/** Operating systems give outgoing connections ports above these, and such a connection would take the port before the server listens. */
const anyFrom = 10_000;
const shares = 44;
const shareSize = 500;
const anyTries = 500;

export interface ClaimedPort {
  readonly port: number;
  readonly socket: Server;
  readonly fd: number;
  /** Listens no more, for a server of this process that will listen. The port is found for no other until it is released. */
  close(): void;
  release(): void;
}

/**
 * The preferred port (0: any), else one of the next, else any. `given` holds ports reserved for servers that do not listen yet; the result
 * is added to it.
 */
export function findPort(preferred: number, given: Set<number>): Promise<number> {
  return search(preferred, given, async (port) => ((await isFree(port)) ? port : null));
}

export function claimPort(preferred: number, given: Set<number>): Promise<ClaimedPort> {
  return search(preferred, given, claim);
}

/** Returns null when another process listens on the port, under either address of this machine. */
export async function claim(port: number): Promise<ClaimedPort | null> {
  const socket = await listen(port, '127.0.0.1');
  if (socket === null) return null;
  const close = () => void socket.close();
  socket.on('connection', (caller) => caller.destroy());
  if ((await listenOnce(port, '::1')) === null) {
    close();
    return null;
  }
  const claimed = claimedPorts();
  claimed.add(port);
  const release = () => {
    claimed.delete(port);
    close();
  };
  const { fd } = (socket as unknown as { readonly _handle: { readonly fd: number } })._handle;
  return { port, socket, fd, close, release };
}

async function search<T>(preferred: number, given: Set<number>, take: (port: number) => Promise<T | null>): Promise<T> {
  const tryPort = async (port: number): Promise<T | null> => {
    if (given.has(port) || claimedPorts().has(port)) return null;
    given.add(port);
    const taken = await take(port);
    if (taken === null) given.delete(port);
    return taken;
  };
  for (let port = preferred; preferred > 0 && port < preferred + neighbours; port += 1) {
    const taken = await tryPort(port);
    if (taken !== null) return taken;
  }
  ofProcess[shareOfPorts] ??= takeShare();
  const from = await ofProcess[shareOfPorts];
  for (let tries = 0; tries < anyTries; tries += 1) {
    const taken = await tryPort(randomInt(from + 1, from + shareSize));
    if (taken !== null) return taken;
  }
  throw new Error('no port could be opened on 127.0.0.1');
}

/** Symbols of the process, because a module that is loaded again must not take another share, nor a claimed port. */
const shareOfPorts = Symbol.for('corner.share-of-ports');
const portsClaimed = Symbol.for('corner.claimed-ports');
const ofProcess = globalThis as { [shareOfPorts]?: Promise<number>; [portsClaimed]?: Set<number> };

function claimedPorts(): Set<number> {
  ofProcess[portsClaimed] ??= new Set();
  return ofProcess[portsClaimed];
}

/**
 * Takes a share of the ports and returns its first port, which stays listened on while the process lives. A program that starts in the
 * share frees its port a moment before it listens, and no other process may take it then. Prefers the `first` share; when all are taken,
 * two processes use one.
 */
export async function takeShare(first = process.pid): Promise<number> {
  for (let nth = 0; nth < shares; nth += 1) {
    const from = anyFrom + ((first + nth) % shares) * shareSize;
    const held = await listen(from, '127.0.0.1');
    held?.unref();
    if (held?.listening) return from;
  }
  return anyFrom + (first % shares) * shareSize;
}

export async function isFree(port: number): Promise<boolean> {
  for (const address of addresses) if ((await listenOnce(port, address)) === null) return false;
  return true;
}

/** Returns null when another process has the port. An address that this machine lacks counts as free. */
async function listenOnce(port: number, host: string): Promise<number | null> {
  const server = await listen(port, host);
  if (server?.listening) await new Promise((resolve) => server.close(resolve));
  return server === null ? null : port;
}

function listen(port: number, host: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES' ? null : server));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
