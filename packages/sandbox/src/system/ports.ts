import { findPort } from '../servers/find-port.ts';
import { type PartName, type Ports, preferredPorts } from './topology.ts';

/** A port for each part of the system: the wished one where it is free. Postgres and NATS look for theirs when they start. */
export async function choosePorts(wish: 'wished' | 'any'): Promise<Ports> {
  const given = new Set<number>([preferredPorts.postgres, preferredPorts.nats]);
  const ports: Partial<Record<PartName, number>> = {};
  for (const [name, port] of Object.entries(preferredPorts) as [PartName, number][]) {
    if (name === 'postgres' || name === 'nats') ports[name] = wish === 'any' ? 0 : port;
    else ports[name] = await findPort(wish === 'any' ? 0 : port, given);
  }
  return ports as Ports;
}
