import { findPort } from './find-port.ts';

const attempts = 20;

/** Thrown by a start whose port is taken; {@link startOnFreePort} then tries another. */
export class PortTaken extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} on 127.0.0.1 is taken`);
    this.name = 'PortTaken';
    this.port = port;
  }
}

/**
 * Starts something on the preferred port or another. A start that throws {@link PortTaken} is tried again: another process can be faster.
 */
export async function startOnFreePort<T>(preferred: number, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findPort(attempt === 1 ? preferred : 0, new Set()));
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
}
