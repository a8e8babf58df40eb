import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The first `node` of the PATH whose major version differs from this one's and is 20 or later. Undefined when there is none. */
export function otherNode(): { readonly path: string; readonly version: string } | undefined {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, 'node');
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const major = Number(/^v(\d+)/.exec(version)?.[1]);
    if (major >= 20 && `${major}` !== process.versions.node.split('.')[0]) return { path, version };
  }
  return undefined;
}
