import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IService } from 'kubernetes-models/v1/Service';
import { containerBasics, labelsOf, podBasics, podLabels, secretMode, spread } from './pod.ts';
import { serviceAccount } from './process.ts';
import { natsServers, ports } from './settings.ts';

const labels = labelsOf('nats', 'broker');

/** One file, because NATS replaces a variable by the value in the same file. */
export function natsConfiguration(general: string, users: string): string {
  const include = /^include users\.conf$/m;
  if (!include.test(general)) throw new Error('deploy/nats/nats.conf no longer includes users.conf in a line of its own');
  return `${cluster}\n${general.replace(include, () => users)}`;
}

const cluster = `server_name: $POD_NAME
listen: "0.0.0.0:${ports.nats}"
http: "0.0.0.0:${ports.natsMonitor}"
lame_duck_grace_period: "5s"
lame_duck_duration: "30s"
jetstream { store_dir: "/data", max_memory_store: 0, max_file_store: 19G }
include ../nats-passwords/passwords.conf
cluster {
  name: corner
  listen: "0.0.0.0:${ports.natsCluster}"
  routes: [${natsServers.map((server) => `"nats://${server}:${ports.natsCluster}"`).join(', ')}]
}
`;

export const natsManifests = () => [serviceAccount('nats'), service, statefulSet, budget];

/** A server that is not ready has an address too, since servers must find each other before they are ready. */
const service: IService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'nats', labels },
  spec: {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    selector: labels,
    ports: [
      { name: 'client', port: ports.nats, targetPort: 'client' },
      { name: 'cluster', port: ports.natsCluster, targetPort: 'cluster' },
    ],
  },
};

const probe = (path: string, periodSeconds: number, failureThreshold: number) => ({
  httpGet: { path, port: 'monitor' },
  periodSeconds,
  failureThreshold,
  timeoutSeconds: 5,
});

const container: IContainer = {
  ...containerBasics,
  name: 'nats',
  image: 'nats',
  command: ['nats-server', '--config', '/etc/nats/nats.conf'],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    // Four fifths of the limit: the server gives memory back before it is killed for what it uses.
    { name: 'GOMEMLIMIT', value: '820MiB' },
  ],
  ports: [
    { name: 'client', containerPort: ports.nats },
    { name: 'cluster', containerPort: ports.natsCluster },
    { name: 'monitor', containerPort: ports.natsMonitor },
  ],
  // A rollout ends the next server only when the copies of the streams have caught up, which may take a quarter of an hour.
  startupProbe: probe('/healthz', 10, 90),
  // A server of a cluster switches JetStream off when its disk is full, until it is restarted.
  livenessProbe: probe('/healthz?js-enabled-only=true', 10, 6),
  readinessProbe: probe('/healthz?js-server-only=true', 5, 3),
  // The server sends its clients to the others over half a minute, and ignores SIGTERM meanwhile.
  lifecycle: { preStop: { exec: { command: ['nats-server', '--signal', 'ldm=1'] } } },
  resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } },
  volumeMounts: [
    { name: 'configuration', mountPath: '/etc/nats', readOnly: true },
    { name: 'passwords', mountPath: '/etc/nats-passwords', readOnly: true },
    { name: 'streams', mountPath: '/data' },
  ],
};

const statefulSet: IStatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'nats', labels },
  spec: {
    serviceName: 'nats',
    replicas: natsServers.length,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: labels },
    template: {
      metadata: { labels: podLabels(labels) },
      spec: {
        ...podBasics,
        serviceAccountName: 'nats',
        terminationGracePeriodSeconds: 60,
        // Two servers on one node would be lost together, and with them the majority.
        topologySpreadConstraints: spread(labels, 'DoNotSchedule'),
        containers: [container],
        volumes: [
          { name: 'configuration', configMap: { name: 'nats' } },
          {
            name: 'passwords',
            secret: { secretName: 'nats', defaultMode: secretMode, items: [{ key: 'passwords.conf', path: 'passwords.conf' }] },
          },
        ],
      },
    },
    volumeClaimTemplates: [
      { metadata: { name: 'streams' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } } },
    ],
  },
};

const budget: IPodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'nats' },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
};
