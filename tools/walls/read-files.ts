import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Files } from './find-breaches.ts';

export const checkout: string = resolve(import.meta.dirname, '../..');

export const readFiles = (): Files => read('*.ts', '*.tsx', 'services/*/migrations/*.sql');

export const readDocuments = (): Files => read('*.md');

function read(...patterns: readonly string[]): Files {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    cwd: checkout,
    encoding: 'utf8',
  });
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(`${checkout}/${path}`));
  return new Map(paths.map((path) => [path, readFileSync(`${checkout}/${path}`, 'utf8')]));
}
