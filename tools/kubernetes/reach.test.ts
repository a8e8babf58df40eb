import { access, events, type ServiceName, services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { checkout } from '../walls/read-files.ts';
import { mayReach, type Peer } from './reach.ts';
import { find, render } from './render.ts';
import { workloadsIn } from './workloads.ts';

const overlay = `${checkout}/deploy/kubernetes/overlays/example`;
const running = render(overlay);
const pods = workloadsIn([...running, ...render(`${overlay}/migrations`), ...render(`${overlay}/operator`)]);

const peers: Readonly<Record<string, Peer>> = {
  ...Object.fromEntries(pods.map(({ name, labels }) => [name, { labels }])),
  stranger: { labels: {} },
  prometheus: { labels: { 'app.kubernetes.io/name': 'prometheus' }, namespace: 'monitoring' },
  ingress: { labels: {}, namespace: 'ingress-nginx' },
  elsewhere: { labels: { 'app.kubernetes.io/component': 'gateway' }, namespace: 'other' },
  dns: { labels: { 'k8s-app': 'kube-dns' }, namespace: 'kube-system' },
  postgres: { address: '10.1.0.' },
  outside: { address: '0.0.0.0/0' },
  'outside by IPv6': { address: '::/0' },
};
const ports = [25, 53, 443, 465, 587, 4222, 5432, 6222, 8080, 8222, 9464];

/** All connections, except those between two others. */
const allowed = Object.entries(peers).flatMap(([from, source]) =>
  Object.entries(peers).flatMap(([to, target]) =>
    pods.some(({ name }) => name === from || name === to)
      ? ports.filter((port) => mayReach(running, source, target, port)).map((port) => `${from} > ${to} ${port}`)
      : [],
  ),
);

const here = pods.map(({ name }) => name);
const migrations = [...services, 'gateway'].map((name) => `${name}-migrations`);
/** A service needs NATS when it consumes, calls or publishes: each has a stream of its own. */
const onNats = services.filter((name) => access[name].consumes.length > 0 || access[name].calls.length > 0 || publishes(name));
function publishes(name: ServiceName) {
  return events.some(({ producers }) => producers.includes(name));
}

const outside = ['outside', 'outside by IPv6'];

test('a pod may reach what its contracts say, and nothing else', () => {
  expect(allowed.toSorted()).toEqual(
    [
      ...here.map((name) => `${name} > dns 53`),
      ...[...onNats, 'console', 'streams', 'operator'].map((name) => `${name} > nats 4222`),
      'nats > nats 6222',
      ...[...services, 'gateway', ...migrations].map((name) => `${name} > postgres 5432`),
      ...outside.flatMap((to) => [...services, 'gateway', 'console'].map((name) => `${name} > ${to} 443`)),
      ...outside.flatMap((to) => [465, 587].map((port) => `notifications > ${to} ${port}`)),
      ...services.flatMap((name) => ['gateway', 'console', 'prometheus'].map((from) => `${from} > ${name} 8080`)),
      ...['gateway', 'console', 'storefront'].flatMap((name) => [`ingress > ${name} 8080`, `prometheus > ${name} 9464`]),
      // The keys of tokens.
      ...services.map((name) => `${name} > directory 8080`),
      'console > gateway 8080',
      'storefront > gateway 8080',
    ].toSorted(),
  );
});

test('every process that verifies tokens may reach the address of their keys', () => {
  const { hostname, port } = new URL(find(running, 'ConfigMap', 'platform').data?.AUTH_JWKS_URL ?? '');
  const signer = peers[hostname];
  if (!signer) throw new Error(`${hostname} is not in the cluster: it is reached as outside, on port 443`);
  const kept = [...services, 'gateway', 'console'].filter((name) => !mayReach(running, peers[name] as Peer, signer, Number(port)));
  expect(kept).toEqual([]);
});

test('every service uses NATS', () => {
  expect(onNats).toEqual([...services]);
});
