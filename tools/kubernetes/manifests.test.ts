import { readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IService } from 'kubernetes-models/v1/Service';
import { checkout } from '../walls/read-files.ts';
import { manifests } from './manifests.ts';
import { find, type Manifest, render } from './render.ts';
import { isPublic, migrated, processes } from './settings.ts';
import { breaches, workloadsIn } from './workloads.ts';

const folder = `${checkout}/deploy/kubernetes`;
const running = render(`${folder}/overlays/example`);
const migrations = render(`${folder}/overlays/example/migrations`);
const operator = render(`${folder}/overlays/example/operator`);
const all = [...running, ...migrations, ...operator];
const secondsOfDns = 30;

test.each([...manifests()])('deploy/kubernetes/%s is what npm run manifests writes', (path, text) => {
  expect(readFileSync(`${folder}/${path}`, 'utf8')).toBe(text);
});

test.each(all.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  '%s is valid by the schema of Kubernetes',
  async (_, manifest) => {
    await validate(manifest);
  },
);

test('a field of a wrong type and one that is missing are found', async () => {
  const { metadata, ...rest } = find(running, 'Deployment', 'orders');
  await expect(validate({ ...rest, metadata, spec: { replicas: 'two' } } as unknown as Manifest)).rejects.toThrow('spec/replicas');
});

test('every pod keeps every policy', () => {
  expect(workloadsIn(all).map(({ name }) => name)).toHaveLength(processes.length + migrated.length + 3);
  expect(workloadsIn(all).flatMap(breaches)).toEqual([]);
});

test('every pod has the label by which an operator lists all of the platform, and something makes it again on another node', () => {
  expect(workloadsIn(all).map(({ labels }) => labels['app.kubernetes.io/part-of'])).toEqual(workloadsIn(all).map(() => 'corner'));
  expect(all.filter(({ kind }) => kind === 'Pod')).toEqual([]);
});

test('no list is empty: a server drops it, and each apply would say that the object was changed', () => {
  const emptyIn = (part: unknown): boolean =>
    Array.isArray(part) && part.length === 0 ? true : typeof part === 'object' && part !== null && Object.values(part).some(emptyIn);
  expect(all.filter(emptyIn).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
});

test('the files without an overlay name no version of an image', () => {
  const found = workloadsIn([...render(`${folder}/base`), ...render(`${folder}/migrations`), ...render(`${folder}/operator`)]).flatMap(
    breaches,
  );
  expect(found.map((sentence) => sentence.replace(/^\S+ \S+ /, ''))).toEqual(found.map(() => 'has an image without version and digest'));
  expect(found).toHaveLength(processes.length + migrated.length + 3);
});

describe.each(processes)('%s', (name) => {
  const deployment = (find(running, 'Deployment', name) as unknown as IDeployment).spec;
  const labels = deployment?.template.metadata?.labels;
  const [container] = deployment?.template.spec?.containers ?? [];

  test('has two replicas at least, a budget that lets one go, and a Service, all of its own pods', () => {
    const { spec: scaled } = find(running, 'HorizontalPodAutoscaler', name) as unknown as IHorizontalPodAutoscaler;
    expect([scaled?.scaleTargetRef, scaled?.minReplicas]).toEqual([{ apiVersion: 'apps/v1', kind: 'Deployment', name }, 2]);
    const { spec: budget } = find(running, 'PodDisruptionBudget', name) as unknown as IPodDisruptionBudget;
    const { spec: service } = find(running, 'Service', name) as unknown as IService;
    const selectors = [deployment?.selector.matchLabels, budget?.selector?.matchLabels, service?.selector];
    for (const selector of selectors) expect({ ...selector, 'app.kubernetes.io/part-of': 'corner' }).toEqual(labels);
    expect(deployment).not.toHaveProperty('replicas');
    expect(service?.clusterIP).toBe(isPublic(name) ? undefined : 'None');
  });

  test('listens where its probes and its Service expect it, on the port of the image', () => {
    const [, port] = /^ENV .*\bPORT=(\d+)/m.exec(readFileSync(`${checkout}/Dockerfile`, 'utf8')) ?? [];
    expect(container?.ports?.find((open) => open.name === 'http')?.containerPort).toBe(Number(port));
    expect((find(running, 'Service', name) as unknown as IService).spec?.ports?.[0]).toMatchObject({
      port: Number(port),
      targetPort: 'http',
    });
    const { startupProbe, livenessProbe, readinessProbe } = container ?? {};
    const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    expect(paths).toEqual(['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'http' })));
  });

  test('has time to drain and to stop before it is killed', () => {
    const [, stop] = /^const stopSeconds = (\d+);/m.exec(readFileSync(`${checkout}/packages/chassis/src/run.ts`, 'utf8')) ?? [];
    const drain = find(running, 'ConfigMap', 'platform').data?.DRAIN_SECONDS;
    expect(deployment?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(Number(drain) + Number(stop));
  });

  test('is replaced only after every gateway has had time to find the new pod', () => {
    const source = readFileSync(`${checkout}/services/gateway/src/proxy/upstreams.ts`, 'utf8');
    const [, every = ''] = /^const lookupEveryMs = ([\d_]+);/m.exec(source) ?? [];
    const found = secondsOfDns + Number(every.replace('_', '')) / 1000;
    expect(deployment?.minReadySeconds).toBeGreaterThanOrEqual(found);
    expect(Number(find(running, 'ConfigMap', 'platform').data?.DRAIN_SECONDS)).toBeGreaterThanOrEqual(found);
  });
});

test('a server of NATS has started when its streams have caught up, and only then the next one may be replaced', () => {
  const [nats] = workloadsIn(running).filter(({ name }) => name === 'nats');
  expect(nats?.pod.containers[0]?.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'monitor' });
});

test.each(migrated)('%s is migrated by a job of the same image', (name) => {
  const imageOf = (workload: string) => workloadsIn(all).find((one) => one.name === workload)?.pod.containers[0]?.image;
  expect(imageOf(`${name}-migrations`)).toBe(imageOf(name));
});

test('every service of the list, the gateway, the servers of pages and the streams have a Deployment, and nothing else', () => {
  const deployments = running.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
  expect(deployments.toSorted()).toEqual([...services, 'gateway', 'console', 'storefront', 'streams'].toSorted());
});

test('the component without-directory takes every object of the service out, and says so to the gateway, the console and operators', () => {
  const left = ['', '/migrations', '/operator'].flatMap((part) =>
    render(`${folder}/components/without-directory`, render(`${folder}/overlays/example${part}`)),
  );
  const names = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
  expect(left.filter(({ metadata }) => /^directory/.test(metadata.name)).map(names)).toEqual([]);
  const gone = all.map(names).filter((name) => !left.map(names).includes(name));
  expect(gone.map((name) => name.split(' ')[1])).toEqual(
    Array.from({ length: 7 }, () => expect.stringMatching(/^directory(-migrations)?$/)),
  );
  expect(find(left, 'ConfigMap', 'gateway').data).not.toHaveProperty('DIRECTORY_URL');
  expect(find(left, 'ConfigMap', 'console').data?.SERVICES_LEFT_OUT).toBe('directory');
  const env = workloadsIn(left).find(({ name }) => name === 'operator')?.pod.containers[0]?.env;
  expect(env).toContainEqual({ name: 'SERVICES_LEFT_OUT', value: 'directory' });
});

async function validate(manifest: Manifest): Promise<void> {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`)) as Record<string, Model>;
  const Model = models[manifest.kind];
  if (!Model) throw new Error(`there is no schema of ${manifest.kind}`);
  new Model(manifest).validate();
}

type Model = new (manifest: Manifest) => { validate(): void };
