import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@corner/contracts';
import { checkout } from './checkout.ts';

/** The digest of each migration, by its path in the checkout. */
export type Migrations = Readonly<Record<string, string>>;

/** Returns the migrations of a service's schema: those of the backbone, and its own. */
export function migrationsOf(service: ServiceName): Migrations {
  const paths = ['packages/chassis/migrations', `services/${service}/migrations`].flatMap((folder) =>
    readdirSync(join(checkout, folder))
      .sort()
      .map((file) => `${folder}/${file}`),
  );
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(checkout, path)))
        .digest('hex'),
    ]),
  );
}

/** Returns the migrations of a release that the checkout lacks or has with another text: databases that ran them would never run the change. */
export const rewritten = (released: Migrations, now: Migrations): readonly string[] =>
  Object.keys(released).filter((path) => now[path] !== released[path]);

/** Returns the migrations that no release has: they will run while the released version serves. */
export const unreleased = (released: Migrations, now: Migrations): readonly string[] =>
  Object.keys(now).filter((path) => !(path in released));
