import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { checkout } from '../walls/read-files.ts';
import { find, render } from './render.ts';
import { isPublic, migrated, natsServers, type ProcessName, ports, processes, secrets, secretsFolder } from './settings.ts';
import { holdsSecret, workloadsIn } from './workloads.ts';

type Environment = Readonly<Record<string, string>>;

const running = render(`${checkout}/deploy/kubernetes/overlays/example`);
const migrations = render(`${checkout}/deploy/kubernetes/overlays/example/migrations`);

const image = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '8080' };

const contents: Environment = {
  DATABASE_URL: 'postgres://corner_example:4d1f@db.example.com:5432/corner?sslmode=verify-full',
  MIGRATION_DATABASE_URL: 'postgres://administrator:9b2c@db.example.com:5432/corner?sslmode=verify-full',
  NATS_PASSWORD: 'a7e0',
  STRIPE_SECRET_KEY: 'sk_live_example',
  STRIPE_WEBHOOK_SECRETS: 'whsec_example',
  DEVICE_HASH_SECRET: 'e'.repeat(32),
  BOOK_SIGNING_KEYS: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  NFC_KEYS: JSON.stringify({ 1: { meta: '0a'.repeat(16), master: '0b'.repeat(16) } }),
  STAMP_CODE_SECRET: 'f'.repeat(32),
  SMTP_URL: 'smtps://corner:51c9@mail.example.com:465',
  UNSUBSCRIBE_SECRETS: '9'.repeat(32),
  WEBHOOK_SECRET: 'd'.repeat(32),
  CONSOLE_SESSION_KEYS: Buffer.alloc(32, 7).toString('base64'),
  CONSOLE_CLIENT_SECRET: '83d1',
  TOKEN_SIGNING_KEYS: JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })),
};

let folder: TestFolder;
beforeAll(async () => {
  folder = await testFolder();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

/** Has its secrets in files as the pod mounts them, and no others. */
function mounted(pod: string, keys: readonly string[], environment: Environment): Environment {
  mkdirSync(`${folder.path}/${pod}`);
  for (const key of keys) writeFileSync(`${folder.path}/${pod}/${key}`, `${contents[key]}\n`);
  const paths = Object.entries(environment).map(([name, value]) => [name, value.replace(secretsFolder, `${folder.path}/${pod}`)] as const);
  return { ...image, ...Object.fromEntries(paths) };
}

const settingsOf = (name: ProcessName): Environment => ({
  ...find(running, 'ConfigMap', 'platform').data,
  ...find(running, 'ConfigMap', name).data,
});

describe.each(processes)('%s', (name) => {
  test('starts in production with its settings and secrets, and knows each of them', async () => {
    const { pod } = workloadsIn(running).find((workload) => workload.name === name) ?? {};
    const keys = pod?.volumes?.[0]?.secret?.items?.map(({ path }) => path) ?? [];
    const given = settingsOf(name);
    const exports = (await import(
      `${checkout}/services/${name === 'storefront' ? 'console/src/storefront' : `${name}/src`}/config.ts`
    )) as Record<string, ReadConfig>;
    const config = exports[`read${name[0]?.toUpperCase()}${name.slice(1)}Config`]?.(mounted(name, keys, given)) ?? {};
    const names = new Set(Object.keys(config));
    expect(Object.keys(given).filter((setting) => !names.has(setting) && !names.has(setting.replace(/_FILE$/, '')))).toEqual(
      // It verifies no token: the gateway does.
      name === 'storefront' ? ['AUTH_ISSUER', 'AUTH_JWKS_URL'] : [],
    );
    expect(keys.toSorted()).toEqual(filesIn(given));
  });

  test('has no secret in its settings', () => {
    expect(Object.entries(settingsOf(name)).filter(([setting, value]) => holdsSecret(setting, value))).toEqual([]);
  });
});

describe.each(migrated)('%s', (name) => {
  test('is migrated with the addresses of the administrator and of its own role', async () => {
    const { pod } = workloadsIn(migrations).find((workload) => workload.name === `${name}-migrations`) ?? {};
    const sources = pod?.volumes?.[0]?.projected?.sources ?? [];
    expect(sources.map(({ secret }) => secret?.items?.map(({ key, path }) => `${secret.name} ${key} ${path}`))).toEqual([
      [`${name} DATABASE_URL DATABASE_URL`],
      [`migrations ${name.toUpperCase()}_DATABASE_URL MIGRATION_DATABASE_URL`],
    ]);
    const environment = Object.fromEntries(pod?.containers[0]?.env?.map(({ name: setting, value = '' }) => [setting, value]) ?? []);
    const migrateService = `${checkout}/packages/chassis/src/migrate-service.ts`;
    const { readMigrationConfig } = (await import(migrateService)) as { readMigrationConfig: ReadConfig };
    const given = mounted(`${name}-migrations`, ['DATABASE_URL', 'MIGRATION_DATABASE_URL'], environment);
    expect(Object.keys(readMigrationConfig(given)).toSorted()).toEqual(['DATABASE_URL', 'MIGRATION_DATABASE_URL']);
  });
});

test('each service and the console know all servers of NATS', () => {
  for (const service of services) {
    const { NATS_URL, NATS_USER } = settingsOf(service);
    expect([NATS_URL?.split(','), NATS_USER]).toEqual([natsServers.map((server) => `nats://${server}:4222`), service]);
  }
  expect(settingsOf('console')).toMatchObject({ NATS_URL: settingsOf('orders').NATS_URL, NATS_USER: 'console' });
});

test('every server of NATS keeps a copy of each stream', () => {
  const cluster = find(running, 'StatefulSet', 'nats') as unknown as { spec: { replicas: number } };
  const streams = workloadsIn(running).find(({ name }) => name === 'streams');
  const { NATS_REPLICAS } = Object.fromEntries(streams?.pod.containers[0]?.env?.map(({ name, value }) => [name, value]) ?? []);
  expect(Number(NATS_REPLICAS)).toBe(cluster.spec.replicas);
});

test.each(['operator', 'streams'])(
  'the pod %s logs in at every server of NATS as a user that NATS has, with the password of its Secret',
  (name) => {
    const { pod } =
      workloadsIn([...running, ...render(`${checkout}/deploy/kubernetes/overlays/example/operator`)]).find((one) => one.name === name) ??
      {};
    const { NATS_URL, NATS_USER, NATS_PASSWORD_FILE } = Object.fromEntries(
      pod?.containers[0]?.env?.map(({ name, value }) => [name, value]) ?? [],
    );
    expect(NATS_URL).toBe(settingsOf('orders').NATS_URL);
    expect(find(running, 'ConfigMap', 'nats').data?.['nats.conf']).toContain(`user: "${NATS_USER}"`);
    expect(NATS_PASSWORD_FILE).toBe(`${secretsFolder}/${pod?.volumes?.[0]?.secret?.items?.[0]?.path}`);
  },
);

test('docs/kubernetes.md names every Secret with its keys', () => {
  const page = readFileSync(`${checkout}/docs/kubernetes.md`, 'utf8');
  const rowOf = (name: string) => new RegExp(`^- \`${name}\`: \`[A-Za-z_.]+\`[^]*?(?=\\n(?:- |\\n))`, 'm').exec(page)?.[0] ?? '';
  for (const name of processes) {
    const [, ...keys] = rowOf(name).matchAll(/`(\w+)`/g);
    expect([name, keys.map(([, key]) => key)]).toEqual([name, secrets[name]]);
  }
  for (const name of migrated) expect(rowOf('migrations')).toContain(`${name.toUpperCase()}_DATABASE_URL`);
  for (const name of ['operator', 'streams']) expect(rowOf(name)).toContain('NATS_PASSWORD');
  const users = new Set(find(running, 'ConfigMap', 'nats').data?.['nats.conf']?.match(/(?<=\$NATS_PASSWORD_)\w+/g));
  expect([...users].filter((user) => !rowOf('nats').includes(user.toLowerCase()))).toEqual([]);
  expect(users.size).toBeGreaterThan(services.length);
});

test('docs/kubernetes.md has Prometheus keep one port of each process, and label it with its name', () => {
  const page = readFileSync(`${checkout}/docs/kubernetes.md`, 'utf8');
  const [, text = ''] = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(page) ?? [];
  const [job] = (parse(text) as { scrape_configs: ScrapeJob[] }).scrape_configs;
  const [keep, label] = job?.relabel_configs ?? [];
  const meta = '__meta_kubernetes_pod_';
  const kept = workloadsIn(running).flatMap(({ labels, pod }) => {
    const values = new Map(Object.entries(labels).map(([key, value]) => [`${meta}label_${key.replaceAll(/\W/g, '_')}`, value]));
    const read = (names: readonly string[] = [], port = '') =>
      names.map((name) => (name === `${meta}container_port_name` ? port : (values.get(name) ?? ''))).join(';');
    return (pod.containers[0]?.ports ?? [])
      .filter(({ name }) => new RegExp(`^(?:${keep?.regex})$`).test(read(keep?.source_labels, name)))
      .map(({ containerPort }) => `${read(label?.source_labels)} ${containerPort}`);
  });
  expect([job?.job_name, label?.target_label]).toEqual(['corner', 'service']);
  expect(kept.toSorted()).toEqual(processes.map((name) => `${name} ${isPublic(name) ? ports.metrics : ports.http}`).toSorted());
});

interface ScrapeJob {
  readonly job_name: string;
  readonly relabel_configs: readonly {
    readonly source_labels: readonly string[];
    readonly regex?: string;
    readonly target_label?: string;
  }[];
}

const filesIn = (settings: Environment): string[] =>
  Object.values(settings)
    .filter((value) => value.startsWith(`${secretsFolder}/`))
    .map((value) => value.slice(secretsFolder.length + 1))
    .toSorted();

type ReadConfig = (environment: Environment) => Readonly<Record<string, unknown>>;
