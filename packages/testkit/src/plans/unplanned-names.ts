import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const checkout = resolve(import.meta.dirname, '../../../..');

/** Sent only by tests of the whole system, whose services are separate processes, and by the chassis' tests of events in parts. */
const sentElsewhere = [
  'notifications reopen-message',
  'directory save-erasure-reports',
  'chassis read-backlog',
  'chassis count-ignored-snapshots',
  'chassis take-up-part',
  'chassis move-part',
];

/** Names statements as "orders find-order". A statement of the chassis counts once any service has sent it. */
export async function unplannedNames(planned: readonly string[], root = checkout): Promise<string[]> {
  const missing: string[] = [];
  const services = await readdir(join(root, 'services'));
  for (const service of services) {
    const names = await namesIn(join(root, 'services', service, 'src'));
    missing.push(...names.filter((name) => !planned.some(isOf(service, name))).map((name) => `${service} ${name}`));
  }
  const ofChassis = await namesIn(join(root, 'packages/chassis/src'));
  const isPlanned = (name: string) => services.some((service) => planned.some(isOf(service, name)));
  missing.push(...ofChassis.filter((name) => !isPlanned(name)).map((name) => `chassis ${name}`));
  return missing.filter((name) => !sentElsewhere.includes(name));
}

async function namesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  const sources = await Promise.all(
    files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => readFile(join(folder, file), 'utf8')),
  );
  const names = sources.flatMap((source) =>
    [...source.matchAll(/sql\.prepared\(([^,]*),/g)].flatMap(([, first = '']) => [...first.matchAll(/['`]([^'`]+)['`]/g)]),
  );
  return [...new Set(names.map(([, name = '']) => name.replaceAll(/\$\{[^}]*\}/g, '*')))];
}

const isOf = (service: string, name: string) => {
  const pattern = new RegExp(`^${service} ${name.replaceAll('*', '[^ ]*')} `);
  return (record: string) => pattern.test(record);
};
