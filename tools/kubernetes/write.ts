import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkout } from '../walls/read-files.ts';
import { manifests } from './manifests.ts';

for (const [path, text] of manifests()) {
  const file = `${checkout}/deploy/kubernetes/${path}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
