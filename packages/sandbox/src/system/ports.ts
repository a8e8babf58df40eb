import { findPort } from '../servers/find-port.ts';
import { type PartName, type Ports, preferredPorts } from './topology.ts';

/** Chooses a port for each part of the system: the preferred one where it is free. Postgres and NATS choose theirs when they start. */
export async function choosePorts(preferred: 'preferred' | 'any'): Promise<Ports> {
  const given = new Set<number>([preferredPorts.postgres, preferredPorts.nats]);
  const ports: Partial<Record<PartName, number>> = {};
  for (const [name, port] of Object.entries(preferredPorts) as [PartName, number][]) {
    if (name === 'postgres' || name === 'nats') ports[name] = preferred === 'any' ? 0 : port;
    else ports[name] = await findPort(preferred === 'any' ? 0 : port, given);
  }
  return ports as Ports;
}
