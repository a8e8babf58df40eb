import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { placeOf } from './walls/find-breaches.ts';
import { checkout, readFiles } from './walls/read-files.ts';

interface Service {
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly profiles?: readonly string[];
}
type Services = Readonly<Record<string, Service | null>>;

/** These tags say that a value replaces the other file's. */
const customTags = ['scalar', 'seq', 'map'].flatMap((kind) =>
  ['!reset', '!override'].map((tag) =>
    kind === 'scalar' ? { tag, resolve: () => null } : { tag, collection: kind as 'seq' | 'map', resolve: (value: unknown) => value },
  ),
);
const read = (path: string): Services =>
  (parse(readFileSync(`${checkout}/${path}`, 'utf8'), { merge: true, customTags } as never) as { services: Services }).services;

const trial = read('docker-compose.yml');
const simulators = ['payments', 'messages', 'issuer', 'demo'];

function leftOvers(other: Services): string[] {
  return Object.entries(trial).flatMap(([name, service]) => {
    const changed = other[name];
    if (changed === null || service === null) return [];
    const environment: Service['environment'] = { ...service.environment, ...changed?.environment };
    const address = new RegExp(`(//|^)(${simulators.join('|')}):`);
    const settings = Object.keys(environment).filter((key) => address.test(String(environment[key])));
    const volumes = (changed?.volumes ?? service.volumes ?? []).filter((volume) => simulators.includes(volume.split(':')[0] ?? ''));
    const waits = Object.keys(changed?.depends_on ?? service.depends_on ?? {}).filter((awaited) => simulators.includes(awaited));
    const trialIsSet = environment.TRIAL !== undefined && environment.TRIAL !== '' ? ['TRIAL'] : [];
    return [...settings, ...volumes, ...waits, ...trialIsSet].map((left) => `${name}: ${left}`);
  });
}

test('deploy/without-simulators.yml leaves nothing that is a simulator or needs one', () => {
  const other = read('deploy/without-simulators.yml');
  expect(Object.keys(other).filter((name) => other[name] === null)).toEqual(simulators);
  expect(leftOvers(other)).toEqual([]);
});

test('the gateway and notifications wait for everything else that they waited for', () => {
  const other = read('deploy/without-simulators.yml');
  for (const name of ['gateway', 'notifications']) {
    const before = Object.keys(trial[name]?.depends_on ?? {}).filter((awaited) => !simulators.includes(awaited));
    expect(Object.keys(other[name]?.depends_on ?? {})).toEqual(expect.arrayContaining(before));
  }
});

test('the console runs without the controls of the simulators, and its image does not hold them', () => {
  const { console } = read('deploy/without-simulators.yml');
  expect(console).toMatchObject({ command: ['node', 'dist/main.js'], build: { args: { SIMULATORS: '' } } });
  const [, removed] = /test -n "\$\{SIMULATORS\}" \|\| rm (.+)/.exec(readFileSync(`${checkout}/Dockerfile`, 'utf8')) ?? [];
  expect(removed).toBe('services/console/dist/development.js*');
  // The walls let no other program import one of these; packages/programs/src/outside.test.ts looks at what was bundled.
  const controls = [...readFiles().keys()].filter((path) => placeOf(path)?.room.name === 'console sandbox');
  expect(controls.length).toBeGreaterThan(4);
  expect(controls.filter((path) => !/^services\/console\/src\/(sandbox\/|development\.ts$)/.test(path))).toEqual([]);
});

test('what is left of the simulators is found', () => {
  const gone = Object.fromEntries(simulators.map((name) => [name, null]));
  expect(leftOvers(gone)).toEqual(
    expect.arrayContaining(['orders: STRIPE_API_BASE', 'gateway: demo', 'notifications: messages', 'corner: issuer:/data']),
  );
});

test('without the directory service nothing waits for it, and the demo publishes as the user directory', () => {
  const other = read('deploy/without-directory.yml');
  expect(Object.keys(other).filter((name) => other[name] === null)).toEqual(['directory', 'directory-migrations']);
  expect(other.gateway?.environment).toEqual({ DIRECTORY_URL: '' });
  expect(other.demo?.environment).toEqual({ NATS_USER: 'directory', SERVICES_LEFT_OUT: 'directory' });
  const waiting = Object.entries(trial).filter(([name, service]) => other[name] !== null && service?.depends_on?.directory);
  expect(waiting.map(([name, service]) => [name, service?.depends_on?.directory])).toEqual([
    ['demo', { condition: 'service_healthy', required: false }],
  ]);
});
