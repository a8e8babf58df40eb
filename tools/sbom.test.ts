import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';

const checkout = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

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

const delivered = [...readdirSync(join(checkout, 'services')).map((service) => join('services', service)), 'packages/console-pages'];

test('the bill of materials of each service, and of the pages of the console, names every package that it needs in production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'corner-sbom-'));
  try {
    execFileSync('npx', ['--yes', '--prefer-offline', 'pnpm@12.21.0', 'run', 'sbom', '--out', `${folder}/%s.json`], {
      cwd: checkout,
      stdio: 'pipe',
    });
    for (const part of delivered) {
      const { bomFormat, components } = JSON.parse(readFileSync(join(folder, `corner-${basename(part)}.json`), 'utf8')) as {
        readonly bomFormat: string;
        readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[];
      };
      const listed = new Set(components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
      const all = [...needed(join(checkout, part)).values()];
      expect(all.length).toBeGreaterThan(10);
      expect([part, bomFormat, all.filter((one) => !listed.has(one))]).toEqual([part, 'CycloneDX', []]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
