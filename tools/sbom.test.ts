import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const checkout = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages that a package needs in production, as they are installed: each name with its version. */
function needed(folder: string, seen = new Map<string, string>()): ReadonlyMap<string, string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(dependencies)) {
    const found = realpathSync(installed(folder, name));
    if (seen.has(found)) continue;
    const { name: own, version } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8')) as Manifest;
    seen.set(found, `${own}@${version}`);
    needed(found, seen);
  }
  return seen;
}

/** The folder of a dependency: in the nearest node_modules that has it. */
function installed(folder: string, name: string): string {
  for (const place of createRequire(join(realpathSync(folder), 'package.json')).resolve.paths(name) ?? []) {
    const path = join(place, name);
    try {
      realpathSync(path);
      return path;
    } catch {}
  }
  throw new Error(`${folder} has no ${name}`);
}

test('the bill of materials of each service names every package that it needs in production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'corner-sbom-'));
  try {
    execFileSync('npx', ['--yes', '--prefer-offline', 'pnpm@12.21.0', 'run', 'sbom', '--out', `${folder}/%s.json`], {
      cwd: checkout,
      stdio: 'pipe',
    });
    for (const service of readdirSync(join(checkout, 'services'))) {
      const file = readdirSync(folder).find((name) => name.includes(service)) ?? `${service}.json`;
      const { bomFormat, components } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
        readonly bomFormat: string;
        readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[];
      };
      const listed = new Set(components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
      const all = [...needed(join(checkout, 'services', service)).values()];
      expect(all.length).toBeGreaterThan(10);
      expect([service, bomFormat, all.filter((one) => !listed.has(one))]).toEqual([service, 'CycloneDX', []]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
