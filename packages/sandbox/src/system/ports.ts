import { findPort } from '../servers/find-port.ts';
import { type PartName, type Ports, wishedPorts } from './topology.ts';

/** A port for each part of the system: the wished one where it is free. Postgres and NATS look for theirs when they start. */
export async function choosePorts(wish: 'wished' | 'any'): Promise<Ports> {
  const given = new Set<number>([wishedPorts.postgres, wishedPorts.nats]);
  const ports: Partial<Record<PartName, number>> = {};
  for (const [name, port] of Object.entries(wishedPorts) as [PartName, number][]) {
    if (name === 'postgres' || name === 'nats') ports[name] = wish === 'any' ? 0 : port;
    else ports[name] = await findPort(wish === 'any' ? 0 : port, given);
  }
  return ports as Ports;
}
