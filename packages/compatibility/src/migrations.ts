import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isService, type Part } from './surface.ts';

export const checkout = resolve(import.meta.dirname, '../../..');

export type Migrations = Readonly<Record<string, string>>;

export function migrationsOf(part: Part): Migrations {
  const folders = [...(isService(part) ? ['packages/chassis/migrations'] : []), `services/${part}/migrations`];
  const paths = folders
    .filter((folder) => existsSync(join(checkout, folder)))
    .flatMap((folder) =>
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

/** Returns the released migrations that the checkout lacks or has with another text: databases that ran them would never run the change. */
export const rewritten = (released: Migrations, now: Migrations): readonly string[] =>
  Object.keys(released).filter((path) => now[path] !== released[path]);

/** Returns the migrations that no release has: they run while the released version serves. */
export const unreleased = (released: Migrations, now: Migrations): readonly string[] =>
  Object.keys(now).filter((path) => !(path in released));
