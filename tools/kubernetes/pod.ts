import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';

/** `node` in our images, and any user in that of NATS. Kubernetes cannot see that a user without a number is not root. */
const user = 1000;

export const labelsOf = (
  name: string,
  component: 'service' | 'gateway' | 'console' | 'storefront' | 'migration' | 'broker' | 'streams' | 'operator',
) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': component,
});

export const podLabels = (selecting: Readonly<Record<string, string>>) => ({ ...selecting, 'app.kubernetes.io/part-of': 'corner' });

export const podBasics = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: { runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user, seccompProfile: { type: 'RuntimeDefault' } },
} satisfies Partial<IPodSpec>;

export const containerBasics = {
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
} satisfies Partial<IContainer>;

export const secretMode = 0o440;

export const spread = (labels: Readonly<Record<string, string>>, nodes: 'DoNotSchedule' | 'ScheduleAnyway') => [
  { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: nodes, labelSelector: { matchLabels: { ...labels } } },
  {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway' as const,
    labelSelector: { matchLabels: { ...labels } },
  },
];
