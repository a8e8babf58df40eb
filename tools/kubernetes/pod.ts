import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';

/** The user of the images: `node` in ours, and any in that of NATS. Kubernetes cannot see that a user without a number is not root. */
const user = 1000;

/** Labels that select the pods of one kind. */
export const labelsOf = (
  name: string,
  component: 'service' | 'gateway' | 'console' | 'storefront' | 'migration' | 'broker' | 'streams' | 'operator',
) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': component,
});

/** Labels of a pod: those that select it, and that of the platform, by which an operator lists all pods. */
export const podLabels = (selecting: Readonly<Record<string, string>>) => ({ ...selecting, 'app.kubernetes.io/part-of': 'corner' });

/** Common to every pod: an ordinary user, no token of the cluster's API, and files of secrets that this user may read. */
export const podBasics = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: { runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user, seccompProfile: { type: 'RuntimeDefault' } },
} satisfies Partial<IPodSpec>;

export const containerBasics = {
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
} satisfies Partial<IContainer>;

/** Octal 0440: the mode of files of secrets. */
export const secretMode = 0o440;

/** Places pods on different nodes, and on different zones where there are some. */
export const spread = (labels: Readonly<Record<string, string>>, nodes: 'DoNotSchedule' | 'ScheduleAnyway') => [
  { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: nodes, labelSelector: { matchLabels: { ...labels } } },
  {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway' as const,
    labelSelector: { matchLabels: { ...labels } },
  },
];
