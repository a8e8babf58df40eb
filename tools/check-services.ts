import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { checkout } from './walls/read-files.ts';

/** These folders of services/ own no operations. They are deployed as services are. */
const others = ['gateway', 'console'];
const deployed = [...others, 'storefront'];

export function missingPartsOfServices(
  names: readonly string[] = services,
  read = (path: string) => readFileSync(`${checkout}/${path}`, 'utf8'),
): string[] {
  const compose = read('docker-compose.yml');
  const targets = read('deploy/prometheus/prometheus.yml');
  const alerts = read('deploy/prometheus/alerts.yml');
  const unlisted = readdirSync(`${checkout}/services`)
    .filter((folder) => !names.includes(folder) && !others.includes(folder) && existsSync(`${checkout}/services/${folder}/package.json`))
    .map((folder) => `services/${folder} is not in the list: add it to services of packages/contracts/src/vocabulary.ts`);
  const undeployed = deployed.flatMap((name) => lackOf(name, { compose, targets, alerts }, [`\n  ${name}:`]));
  const lacking = names.flatMap((name) => [
    ...['package.json', 'src/main.ts', 'src/migrate.ts', 'src/service.ts', 'migrations', 'schema.sql', 'README.md']
      .filter((part) => !existsSync(`${checkout}/services/${name}/${part}`))
      .map((part) => `services/${name}/${part} is missing`),
    ...(existsSync(`${checkout}/packages/contracts/src/${name}`)
      ? []
      : [`packages/contracts/src/${name} is missing: operations, events and RPCs of ${name}`]),
    ...lackOf(name, { compose, targets, alerts }, [
      `\n  ${name}:`,
      `\n  ${name}-migrations:`,
      `${name.toUpperCase()}_URL:`,
      `${name}=http://${name}:8080`,
    ]),
  ]);
  return [...unlisted, ...undeployed, ...lacking];
}

const lackOf = (name: string, { compose, targets, alerts }: Record<'compose' | 'targets' | 'alerts', string>, parts: readonly string[]) => [
  ...parts.filter((part) => !compose.includes(part)).map((part) => `docker-compose.yml lacks ${part.trim()}`),
  ...(targets.includes(`"${name}"`) ? [] : [`deploy/prometheus/prometheus.yml lacks the name ${name}`]),
  ...(alerts.includes(`service="${name}"`) ? [] : [`deploy/prometheus/alerts.yml lacks ${name} in the alert NoReplica`]),
];

if (process.argv[1] === import.meta.filename) {
  const missing = missingPartsOfServices();
  for (const line of missing) process.stderr.write(`${line}\n`);
  if (missing.length > 0) process.exitCode = 1;
}
