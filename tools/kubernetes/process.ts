import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { containerBasics, labelsOf, podBasics, podLabels, secretMode, spread } from './pod.ts';
import { drainSeconds, isPublic, type ProcessName, ports, secrets, secretsFolder } from './settings.ts';

export const labels = (name: ProcessName) => labelsOf(name, isPublic(name) ? name : 'service');

export const processManifests = (name: ProcessName) => [
  serviceAccount(name),
  deployment(name),
  service(name),
  budget(name),
  autoscaler(name),
];

/** An identity without a token, so that permissions given to another pod's account by mistake are not those of this one. */
export const serviceAccount = (name: string): IServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name },
  automountServiceAccountToken: false,
});

/** Has no number of replicas: the autoscaler has it, and each apply would set it back. */
const deployment = (name: ProcessName): IDeployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: labels(name) },
  spec: {
    selector: { matchLabels: labels(name) },
    minReadySeconds: drainSeconds,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: podLabels(labels(name)) },
      spec: {
        ...podBasics,
        serviceAccountName: name,
        // Draining, the ten seconds a stop may take, and five to spare. SIGTERM begins the draining, so no preStop is needed.
        terminationGracePeriodSeconds: drainSeconds + 10 + 5,
        topologySpreadConstraints: spread(labels(name), 'ScheduleAnyway'),
        containers: [container(name)],
        ...(secrets[name].length === 0 ? {} : { volumes: [secretsVolume(name)] }),
      },
    },
  },
});

const secretsVolume = (name: ProcessName) => ({
  name: 'secrets',
  secret: { secretName: name, defaultMode: secretMode, items: secrets[name].map((key) => ({ key, path: key })) },
});

export const probe = (path: string, periodSeconds: number, failureThreshold: number, port = 'http') => ({
  httpGet: { path, port },
  periodSeconds,
  failureThreshold,
  timeoutSeconds: 3,
});

const container = (name: ProcessName): IContainer => ({
  ...containerBasics,
  name,
  image: `corner/${name === 'storefront' ? 'console' : name}`,
  ...(name === 'storefront' ? { command: ['node', 'dist/storefront.js'] } : {}),
  envFrom: [{ configMapRef: { name: 'platform' } }, { configMapRef: { name } }],
  ports: [{ name: 'http', containerPort: ports.http }, ...(isPublic(name) ? [{ name: 'metrics', containerPort: ports.metrics }] : [])],
  startupProbe: probe('/livez', 1, 60),
  livenessProbe: probe('/livez', 10, 3),
  readinessProbe: probe('/readyz', 5, 2),
  // docs/measurements.md, memory: 90 MB of data after 10,000 orders. V8 lets that double, and has a young generation of three times 32 MB.
  resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { cpu: '1', memory: '448Mi' } },
  ...(secrets[name].length === 0 ? {} : { volumeMounts: [{ name: 'secrets', mountPath: secretsFolder, readOnly: true }] }),
});

/** The gateway resolves the replicas of a service itself, so those have no virtual address. */
const service = (name: ProcessName): IService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labels(name) },
  spec: {
    ...(isPublic(name) ? { type: 'ClusterIP' as const } : { clusterIP: 'None' }),
    selector: labels(name),
    ports: [{ name: 'http', port: ports.http, targetPort: 'http' }],
  },
});

const budget = (name: ProcessName): IPodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels(name) } },
});

const autoscaler = (name: ProcessName): IHorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 4,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '600m' } } }],
  },
});
