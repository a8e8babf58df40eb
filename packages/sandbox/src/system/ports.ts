import { type ClaimedPort, claim, claimPort } from '../servers/find-port.ts';
import { PortTaken } from '../servers/ports.ts';
import { ofEach, type PartName, type Ports, preferredPorts, type ReplicatedPart } from './topology.ts';

type ListeningPart = Exclude<PartName, 'postgres' | 'nats'>;
export type Claims = Readonly<Record<ListeningPart, ClaimedPort>>;

export interface PortRequest {
  readonly ports: 'preferred' | 'any';
  readonly gatewayPort?: number | undefined;
}

export async function claimPorts({
  ports: preference,
  gatewayPort,
}: PortRequest): Promise<{ readonly ports: Ports; readonly claims: Claims }> {
  const given = new Set<number>([preferredPorts.postgres, preferredPorts.nats]);
  const claims: Partial<Record<ListeningPart, ClaimedPort>> = {};
  const ports: Partial<Record<PartName, number>> = {};
  try {
    if (gatewayPort !== undefined) claims.gateway = await claimExactly(gatewayPort);
    for (const [name, port] of Object.entries(preferredPorts) as [PartName, number][]) {
      const wanted = preference === 'any' ? 0 : port;
      if (name === 'postgres' || name === 'nats') ports[name] = wanted;
      else {
        claims[name] ??= await claimPort(wanted, given);
        ports[name] = claims[name].port;
      }
    }
  } catch (error) {
    for (const claimed of Object.values(claims)) claimed.release();
    throw error;
  }
  return { ports: ports as Ports, claims: claims as Claims };
}

export type ReplicaClaims = Readonly<Record<ReplicatedPart, readonly ClaimedPort[]>>;

export async function claimReplicaPorts(further: number): Promise<ReplicaClaims> {
  const given = new Set<number>();
  const claims = ofEach((): ClaimedPort[] => []);
  for (const claimed of Object.values(claims)) {
    for (let n = 0; n < further; n += 1) claimed.push(await claimPort(0, given));
  }
  return claims;
}

export async function claimExactly(port: number): Promise<ClaimedPort> {
  const claimed = await claim(port);
  if (claimed === null) throw new PortTaken(port);
  return claimed;
}
