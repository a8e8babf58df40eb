import { findPort } from './find-port.ts';

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

/**
 * Starts something on the wished port, or on another when it is taken. Whoever looks for a free port and then starts can
 * be overtaken, so a start that throws {@link PortTaken} is tried again elsewhere.
 */
export async function startOnFreePort<T>(wish: number, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findPort(attempt === 1 ? wish : 0, new Set()));
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
}
