import { cp, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies the logs of a run, of all services and servers, from the folder of its platform to one that stays. What an earlier run left there is
 * replaced.
 */
export async function keepLogs(folder: string, kept: string): Promise<void> {
  await rm(kept, { recursive: true, force: true });
  for await (const file of glob('**/*.log', { cwd: folder })) await cp(join(folder, file), join(kept, file));
}
