import { setTimeout as pause } from 'node:timers/promises';
import type { TcpProxy } from '@corner/testkit';
import type { Fault } from '../fault.ts';

const seconds = 6;

const servers = ['nats', 'postgres'] as const;

const wire = (
  server: (typeof servers)[number],
  name: string,
  about: string,
  begin: (proxy: TcpProxy) => void,
  end: (proxy: TcpProxy) => void,
): Fault => ({
  name: `${name} ${server}`,
  about: `for ${seconds} seconds ${about}`,
  on: 'wires',
  async apply(stage) {
    const proxy = stage.wires?.[server];
    if (!proxy) throw new Error('this platform has no proxies');
    begin(proxy);
    await pause(seconds * 1000);
    end(proxy);
  },
});

export const wires: readonly Fault[] = servers.flatMap((server) => [
  wire(
    server,
    'slow',
    `everything between the services and ${server} takes 50 ms more in each direction`,
    (proxy) => proxy.delay(50),
    (proxy) => proxy.delay(0),
  ),
  wire(
    server,
    'cut',
    `connections to ${server} are reset, and new ones too`,
    (proxy) => proxy.cut(),
    (proxy) => proxy.mend(),
  ),
  wire(
    server,
    'silent',
    `nothing passes between the services and ${server}, and no connection ends; then all that was sent arrives`,
    (proxy) => proxy.freeze(),
    (proxy) => proxy.thaw(),
  ),
  wire(
    server,
    'half-open',
    `every connection to ${server} that is open at the beginning is dead for good, and the services do not learn of it; new ones work`,
    // Postgres probes its clients, and a proxy would reply to the probe, so the proxy ends the connection instead.
    (proxy) => proxy.strand(server === 'postgres' ? 10_000 : undefined),
    () => {},
  ),
]);
