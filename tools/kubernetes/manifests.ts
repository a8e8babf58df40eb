import { readFileSync } from 'node:fs';
import type { INamespace } from 'kubernetes-models/v1/Namespace';
import { stringify } from 'yaml';
import { checkout } from '../walls/read-files.ts';
import { migration } from './migration.ts';
import { natsConfiguration, natsManifests } from './nats.ts';
import { networkPolicies } from './network.ts';
import { operatorPod } from './operator.ts';
import { processManifests, serviceAccount } from './process.ts';
import { migrated, platformSettings, processes, settingsOf } from './settings.ts';
import { streamsManifests } from './streams.ts';

const header = '# Written by `npm run manifests` (tools/kubernetes/write.ts), which has the reasons. Change it there, or in an overlay.\n';
const yaml = (documents: readonly object[]): string =>
  header + documents.map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');

/** Kubernetes itself refuses a pod in the namespace that could be root, could gain privileges or reach the node. */
const namespace: INamespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'corner', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};

const settings = (name: string, values: Readonly<Record<string, string>>) => ({
  name,
  literals: Object.entries(values).map(([setting, value]) => `${setting}=${value}`),
});

/** The names of ConfigMaps have a hash of their content, so that a changed setting replaces the pods. */
const base = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  namespace: 'corner',
  labels: [{ pairs: { 'app.kubernetes.io/part-of': 'corner' } }],
  resources: ['namespace.yaml', 'network-policies.yaml', 'nats.yaml', 'streams.yaml', ...processes.map((name) => `${name}.yaml`)],
  configMapGenerator: [
    settings('platform', platformSettings),
    ...processes.map((name) => settings(name, settingsOf(name))),
    { name: 'nats', files: ['nats.conf'] },
  ],
};

const migrations = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  namespace: 'corner',
  labels: [{ pairs: { 'app.kubernetes.io/part-of': 'corner' } }],
  resources: ['jobs.yaml'],
};

const operator = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  namespace: 'corner',
  labels: [{ pairs: { 'app.kubernetes.io/part-of': 'corner' } }],
  resources: ['deployment.yaml'],
};

const natsFile = (name: string) => readFileSync(`${checkout}/deploy/nats/${name}`, 'utf8');

export const manifests = (): ReadonlyMap<string, string> =>
  new Map([
    ['base/kustomization.yaml', yaml([base])],
    ['base/namespace.yaml', yaml([namespace])],
    ['base/network-policies.yaml', yaml(networkPolicies())],
    ['base/nats.yaml', yaml(natsManifests())],
    ['base/streams.yaml', yaml(streamsManifests())],
    ['base/nats.conf', header + natsConfiguration(natsFile('nats.conf'), natsFile('users.conf'))],
    ...processes.map((name) => [`base/${name}.yaml`, yaml(processManifests(name))] as const),
    ['migrations/kustomization.yaml', yaml([migrations])],
    ['migrations/jobs.yaml', yaml([serviceAccount('migrations'), ...migrated.map(migration)])],
    ['operator/kustomization.yaml', yaml([operator])],
    ['operator/deployment.yaml', yaml([serviceAccount('operator'), operatorPod])],
  ]);
