import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packClient } from '../../pack/pack-client.ts';

export const run = promisify(execFile);

export interface InstalledClient extends Disposable {
  readonly folder: string;
  readonly tarball: string;
  write(file: string, text: string): void;
}

export async function installClient(): Promise<InstalledClient> {
  const folder = mkdtempSync(join(tmpdir(), 'corner-app-'));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const tarball = await packClient(folder);
  write('package.json', JSON.stringify({ name: 'app', private: true, type: 'module' }));
  await run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], { cwd: folder });
  return { folder, tarball, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
