import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { Manifest } from './render.ts';

export interface Peer {
  readonly labels?: Readonly<Record<string, string>>;
  /** The namespace of the policies when absent. */
  readonly namespace?: string;
  /** The range of a rule, or how it begins. `0.0.0.0/0` and `::/0` stand for any public address. */
  readonly address?: string;
}

type Spec = NonNullable<INetworkPolicy['spec']>;
type Selector = NonNullable<Spec['podSelector']>;
type PolicyPeer = NonNullable<NonNullable<NonNullable<Spec['egress']>[number]['to']>[number]>;

/** Each side that the policies select must allow the connection. */
export function mayReach(manifests: readonly Manifest[], from: Peer, to: Peer, port: number): boolean {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map((manifest) => (manifest as unknown as INetworkPolicy).spec);
  const selecting = (peer: Peer, side: 'Ingress' | 'Egress') =>
    policies.filter((spec) => spec && isHere(peer) && spec.policyTypes?.includes(side) && selects(spec.podSelector, peer.labels)) as Spec[];
  const sending = selecting(from, 'Egress');
  const receiving = selecting(to, 'Ingress');
  const onPort = (ports?: readonly { port?: unknown }[]) => ports === undefined || ports.some((open) => open.port === port);
  const among = (peers: readonly PolicyPeer[] | undefined, peer: Peer) => peers === undefined || peers.some((rule) => matches(rule, peer));
  return (
    (sending.length === 0 || sending.some(({ egress }) => egress?.some((rule) => onPort(rule.ports) && among(rule.to, to)))) &&
    (receiving.length === 0 || receiving.some(({ ingress }) => ingress?.some((rule) => onPort(rule.ports) && among(rule.from, from))))
  );
}

const isHere = ({ namespace, address }: Peer): boolean => namespace === undefined && address === undefined;

function matches({ podSelector, namespaceSelector, ipBlock }: PolicyPeer, peer: Peer): boolean {
  if (ipBlock) return peer.address !== undefined && ipBlock.cidr.startsWith(peer.address);
  if (peer.address !== undefined) return false;
  const inNamespace = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': peer.namespace ?? 'corner' })
    : peer.namespace === undefined;
  return inNamespace && selects(podSelector, peer.labels);
}

/** An absent selector selects all. Of the expressions only `In` is used here, and any other is refused. */
function selects(selector: Selector | undefined, labels: Readonly<Record<string, string>> = {}): boolean {
  const expressions = selector?.matchExpressions ?? [];
  if (expressions.some(({ operator }) => operator !== 'In')) throw new Error('only In is understood here');
  return (
    Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    expressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
  );
}
