import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { Manifest } from './render.ts';

export interface Workload {
  readonly kind: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: IPodSpec;
}

/** Reads all Deployments, StatefulSets and Jobs. A pod without a manager would block the draining of its node. */
export const workloadsIn = (manifests: readonly Manifest[]): Workload[] =>
  manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'Pod'].includes(kind))
    .map((manifest) => {
      const template = (manifest as unknown as IDeployment).spec?.template;
      if (!template?.spec) throw new Error(`${manifest.kind} ${manifest.metadata.name} has no pod`);
      return { kind: manifest.kind, name: manifest.metadata.name, labels: template.metadata?.labels ?? {}, pod: template.spec };
    });

/** Returns sentences; empty when the pod keeps all policies. */
export function breaches(workload: Workload): string[] {
  const { kind, name, pod } = workload;
  const security = pod.securityContext;
  const ofPod = {
    'has a token of the API': pod.automountServiceAccountToken !== false,
    'has no service account of its own': !pod.serviceAccountName,
    'may be root': security?.runAsNonRoot !== true || !security.runAsUser,
    'has no seccomp profile': security?.seccompProfile?.type !== 'RuntimeDefault',
    'is on the network or among the processes of the node': Boolean(pod.hostNetwork || pod.hostPID || pod.hostIPC),
    'mounts a folder of the node': pod.volumes?.some(({ hostPath }) => hostPath) === true,
    'is not spread over nodes': isServing(workload) && !pod.topologySpreadConstraints?.length,
  };
  const containers = [...(pod.initContainers ?? []), ...pod.containers].flatMap((container) => breachesOf(container, isServing(workload)));
  return [...sentences(ofPod), ...containers].map((sentence) => `${kind} ${name} ${sentence}`);
}

const isServing = ({ kind, name }: Workload): boolean => kind !== 'Job' && name !== 'operator';

function breachesOf({ securityContext, resources, env = [], image, ...container }: IContainer, serves: boolean): string[] {
  return sentences({
    'can write to its file system': securityContext?.readOnlyRootFilesystem !== true,
    'can gain privileges': securityContext?.allowPrivilegeEscalation !== false || securityContext.privileged === true,
    'has capabilities': !securityContext?.capabilities?.drop?.includes('ALL') || Boolean(securityContext.capabilities.add?.length),
    'may be root in a container': securityContext?.runAsUser === 0 || securityContext?.runAsNonRoot === false,
    'has no requests': !resources?.requests?.cpu || !resources.requests.memory,
    'has no limits': !resources?.limits?.cpu || !resources.limits.memory,
    'has an image without version and digest': !/:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image ?? ''),
    'lacks a probe': serves && !(container.startupProbe && container.livenessProbe && container.readinessProbe),
    'has a secret in its environment': env.some(({ name, value, valueFrom }) => valueFrom?.secretKeyRef || holdsSecret(name, value)),
    'has a Secret as its environment': container.envFrom?.some(({ secretRef }) => secretRef) === true,
  });
}

export const holdsSecret = (name: string, value = ''): boolean =>
  (/SECRETS?(_KEY)?$|TOKEN$|PASSWORD$|(NFC|SESSION)_KEYS$|DATABASE_URL$|SMTP_URL$/.test(name) && value !== '') ||
  /:\/\/[^/@:]*:[^/@]+@/.test(value);

const sentences = (breached: Readonly<Record<string, boolean>>): string[] => Object.keys(breached).filter((sentence) => breached[sentence]);
