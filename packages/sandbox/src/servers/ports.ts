import { findPort } from './find-port.ts';

const attempts = 20;

export class PortTaken extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} on 127.0.0.1 is taken`);
    this.name = 'PortTaken';
    this.port = port;
  }
}

/** Repeats a start that throws {@link PortTaken}: another process can be faster. */
export async function startOnFreePort<T>(preferred: number, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findPort(attempt === 1 ? preferred : 0, new Set()));
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
}
