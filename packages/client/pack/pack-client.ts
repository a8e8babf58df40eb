import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeTypes } from '../generate/types.ts';
import { buildClient } from './build-client.ts';

/** Builds the client and packs it into a folder, which must exist. Returns the path of the tarball. Needs npm, and no network. */
export async function packClient(folder: string): Promise<string> {
  const built = mkdtempSync(join(tmpdir(), 'corner-client-'));
  try {
    await writeTypes();
    buildClient(built);
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built });
    return join(folder, stdout.trim().split('\n').at(-1) ?? '');
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
