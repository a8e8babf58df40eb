import { isFree } from '@corner/sandbox/servers';

/** Above the shares of the processes' servers, below the ports that Linux gives to outgoing connections. */
const range = { from: 32_000, to: 32_767 };

/** A free port for a listener whose number must be known before the system starts, such as that of the gateway's metrics. */
export async function sparePort(): Promise<number> {
  const size = range.to - range.from + 1;
  for (let nth = 0; nth < size; nth += 1) {
    const port = range.from + ((process.pid + nth) % size);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${range.from} to ${range.to} is free`);
}
