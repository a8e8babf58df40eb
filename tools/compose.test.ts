import { readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { connections } from './scaling.ts';

const checkout = `${import.meta.dirname}/..`;
const read = (path: string) => readFileSync(`${checkout}/${path}`, 'utf8');

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly healthcheck?: { readonly disable?: boolean; readonly start_period?: string };
  readonly deploy?: { readonly replicas?: number; readonly resources?: Resources };
}
type Resources = Readonly<Record<'limits' | 'reservations', { readonly cpus?: string; readonly memory?: string }>>;

const compose: {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
} = parse(read('docker-compose.yml'), { merge: true });

const containers = Object.entries(compose.services).map(([name, container]) => ({ name, ...container }));
const own = containers.filter(({ profiles }) => profiles === undefined || profiles.includes('tools'));
const called = (name: string): Container => compose.services[name] as Container;
const processes = [...services, 'gateway', 'console', 'storefront'];
/** A browser has one address of a server of pages, and the file has no balancer. */
const replicasOf = (name: string): number => (name === 'console' || name === 'storefront' ? 1 : 2);

const brokenBy = ({ image, user, read_only, cap_drop, security_opt, deploy, restart, healthcheck }: Container): string[] => {
  const { limits, reservations } = deploy?.resources ?? {};
  const ends = restart === 'no';
  const rules = {
    'runs as root': !image.startsWith('corner/') && (user === undefined || /^(0|root)\b/.test(user)),
    'can write to its image': read_only !== true,
    'has capabilities': cap_drop?.[0] !== 'ALL',
    'may gain privileges': !security_opt?.includes('no-new-privileges:true'),
    'has no limits': !limits?.cpus || !limits.memory,
    'has no reservations': !reservations?.cpus || !reservations.memory,
    'has no health check': !ends && (healthcheck?.disable === true || (!image.startsWith('corner/') && !healthcheck?.start_period)),
  };
  return Object.entries(rules).flatMap(([rule, broken]) => (broken ? rule : []));
};

test('every container runs as an ordinary user on a read-only image, with limits and a health check', () => {
  expect(own.length).toBeGreaterThan(15);
  expect(own.map((container) => [container.name, ...brokenBy(container)]).filter(({ length }) => length > 1)).toEqual([]);
  expect(read('Dockerfile')).toMatch(/\nUSER node\n/);
  // A process that has not started yet is not unhealthy for five minutes, or a busy machine would end the start.
  expect(read('Dockerfile')).toMatch(/HEALTHCHECK .*--start-period=300s/);
});

test('the rules find what breaks them', () => {
  expect(brokenBy({ image: 'postgres:18' })).toHaveLength(7);
});

test('limits are those of Kubernetes, and each service and the gateway has two replicas, a server of pages one', () => {
  for (const name of processes) {
    const manifests = parseAllDocuments(read(`deploy/kubernetes/base/${name}.yaml`)).map((document) => document.toJS());
    const [container] = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers;
    const megabytes = (quantity: string) => quantity.replace('Mi', 'M');
    const { limits, requests } = container.resources;
    expect({ replicas: 1, ...called(name).deploy }).toEqual({
      replicas: replicasOf(name),
      resources: {
        limits: { cpus: limits.cpu, memory: megabytes(limits.memory) },
        reservations: { cpus: String(Number.parseInt(requests.cpu, 10) / 1000), memory: megabytes(requests.memory) },
      },
    });
  }
});

test('secrets are files, each of which exists for a trial, and no environment holds one', () => {
  const secret = /SECRETS?(_KEY)?$|TOKEN$|PASSWORD$|(NFC|SESSION)_KEYS$|DATABASE_URL$|SMTP_URL$|API_KEY$/;
  const inEnvironments = own.flatMap(({ name, environment }) =>
    Object.keys(environment ?? {}).flatMap((key) => (secret.test(key) ? `${name}: ${key}` : [])),
  );
  // The simulator's, which are valid nowhere else.
  expect(inEnvironments).toEqual(['payments: PAYMENTS_API_KEY', 'payments: PAYMENTS_WEBHOOK_SECRET']);
  for (const { secrets = [], environment = {} } of own) {
    const mounted = secrets.map((entry) => (typeof entry === 'string' ? entry : entry.target));
    const wanted = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(String(value))?.[1] ?? []);
    expect(wanted.filter((name) => !mounted.includes(name))).toEqual([]);
    for (const entry of secrets) {
      const source = typeof entry === 'string' ? entry : entry.source;
      expect(compose.secrets[source]?.file).toBe(`\${SECRETS:-./deploy/trial-secrets}/${source}`);
      expect(read(`deploy/trial-secrets/${source}`).trim()).not.toBe('');
    }
  }
});

test('networks: the database and the broker have no way out, and gateway and service share one network', () => {
  const networksOf = (name: string): readonly string[] => called(name).networks ?? ['default'];
  const shared = (one: string, other: string) => networksOf(one).filter((name) => networksOf(other).includes(name));
  for (const name of [...networksOf('postgres'), ...networksOf('nats')]) expect(compose.networks[name]).toEqual({ internal: true });
  for (const service of services) {
    expect(shared('gateway', service)).toEqual(['inner']); // Two would be two addresses for each replica.
    expect(shared(service, 'postgres')).toEqual(['data']);
    expect(shared(service, 'nats')).toEqual(['inner']);
  }
  expect(shared('gateway', 'postgres')).toEqual(['limits']);
  expect([networksOf('console'), shared('console', 'postgres')]).toEqual([['edge', 'inner'], []]);
  expect([networksOf('storefront'), shared('storefront', 'postgres')]).toEqual([['edge', 'inner'], []]);
  expect(containers.filter(({ networks }) => networks === undefined).map(({ name }) => name)).toEqual([]);
});

test('the gateway takes the origins of browser apps from the shell, and none by default', () => {
  expect(called('gateway').environment?.CORS_ORIGINS).toMatch(/^\$\{CORS_ORIGINS:-\}$/);
});

test('ports are published to this machine only, and none of a service, the database or the broker', () => {
  const published = own.flatMap(({ name, ports }) => (ports ?? []).map((port) => [name, port] as const));
  expect(published.map(([name]) => name)).toEqual(['gateway', 'console', 'storefront', 'payments', 'messages', 'issuer']);
  expect(containers.flatMap(({ ports }) => ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

test('Postgres accepts the connections of a third replica of each service', () => {
  const [, each] = /^ *DATABASE_POOL_SIZE: .*default\((\d+)\)/m.exec(read('packages/chassis/src/config.ts')) ?? [];
  const [, ofGateway] = /^ *max: (\d+),$/m.exec(read('services/gateway/src/limits/shared-buckets.ts')) ?? [];
  // Besides the pool: the relay, the consumer and the lock of the process. Postgres keeps three for superusers.
  expect([Number(each) + 3, Number(ofGateway)]).toEqual([connections.service, connections.gateway]);
  const needed = services.length * 3 * connections.service + 2 * connections.gateway + 3;
  const [, accepted] = /max_connections=(\d+)/.exec((called('postgres').command ?? []).join(' ')) ?? [];
  expect(Number(accepted)).toBeGreaterThanOrEqual(needed);
});
