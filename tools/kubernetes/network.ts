import { services } from '@corner/contracts';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { INetworkPolicyEgressRule } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyEgressRule';
import type { INetworkPolicyIngressRule } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyIngressRule';
import { labelsOf } from './pod.ts';
import { labels } from './process.ts';
import { ports } from './settings.ts';

type LabelSelector = NonNullable<NonNullable<INetworkPolicy['spec']>['podSelector']>;

const tcp = (...numbers: number[]) => numbers.map((port) => ({ protocol: 'TCP' as const, port }));
const pods = (matchLabels: Record<string, string>) => ({ podSelector: { matchLabels } });
const component = (...values: string[]): LabelSelector => ({
  matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values }],
});
const prometheus = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
  ...pods({ 'app.kubernetes.io/name': 'prometheus' }),
};
const clusterDns = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
  ...pods({ 'k8s-app': 'kube-dns' }),
};
/** Every address that is not private. A policy cannot name a host, so the provider, mail and the issuer's keys are "outside" and a port. */
const outside = [
  { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'] } },
  { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
];

/** A rule about ingress does not open egress, so each side of a connection needs its own. */
function policy(
  name: string,
  podSelector: LabelSelector,
  { ingress, egress }: { ingress?: INetworkPolicyIngressRule[]; egress?: INetworkPolicyEgressRule[] },
): INetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector,
      policyTypes: [...(ingress ? ['Ingress' as const] : []), ...(egress ? ['Egress' as const] : [])],
      // A server drops an empty list, and each apply would put it back.
      ...(ingress?.length ? { ingress } : {}),
      ...(egress?.length ? { egress } : {}),
    },
  };
}

const gateway = pods(labels('gateway'));
const console = pods(labels('console'));
const storefront = pods(labels('storefront'));
const nats = pods(labelsOf('nats', 'broker'));

const directory = pods(labels('directory'));

/** Services call each other over NATS only. Each fetches the keys of tokens from the directory, which signs them. */
export const networkPolicies = (): INetworkPolicy[] => [
  policy('nothing', {}, { ingress: [], egress: [] }),
  policy('dns', {}, { egress: [{ to: [clusterDns], ports: [{ protocol: 'UDP', port: 53 }, ...tcp(53)] }] }),
  policy('gateway', gateway.podSelector, {
    // An overlay names the ingress controller in the first rule; the servers of pages need one of their own.
    ingress: [
      { ports: tcp(ports.http) },
      { from: [console, storefront], ports: tcp(ports.http) },
      { from: [prometheus], ports: tcp(ports.metrics) },
    ],
    egress: [{ to: services.map((name) => pods(labels(name))), ports: tcp(ports.http) }],
  }),
  policy('console', console.podSelector, {
    ingress: [{ ports: tcp(ports.http) }, { from: [prometheus], ports: tcp(ports.metrics) }],
    egress: [{ to: [gateway, ...services.map((name) => pods(labels(name)))], ports: tcp(ports.http) }],
  }),
  policy('storefront', storefront.podSelector, {
    ingress: [{ ports: tcp(ports.http) }, { from: [prometheus], ports: tcp(ports.metrics) }],
    egress: [{ to: [gateway], ports: tcp(ports.http) }],
  }),
  policy('services', component('service'), { ingress: [{ from: [gateway, console, prometheus], ports: tcp(ports.http) }] }),
  policy('keys', directory.podSelector, { ingress: [{ from: [{ podSelector: component('service') }], ports: tcp(ports.http) }] }),
  policy('keys-clients', component('service'), { egress: [{ to: [directory], ports: tcp(ports.http) }] }),
  policy('nats', nats.podSelector, {
    ingress: [
      { from: [{ podSelector: component('service', 'console', 'streams', 'operator') }], ports: tcp(ports.nats) },
      { from: [nats], ports: tcp(ports.natsCluster) },
    ],
    egress: [{ to: [nats], ports: tcp(ports.natsCluster) }],
  }),
  policy('nats-clients', component('service', 'console', 'streams', 'operator'), { egress: [{ to: [nats], ports: tcp(ports.nats) }] }),
  // An overlay says where Postgres is.
  policy('postgres', component('service', 'gateway', 'migration'), { egress: [{ ports: tcp(ports.postgres) }] }),
  policy('https', component('service', 'gateway', 'console'), { egress: [{ to: outside, ports: tcp(443) }] }),
  policy('mail', pods(labels('notifications')).podSelector, { egress: [{ to: outside, ports: tcp(465, 587) }] }),
];
