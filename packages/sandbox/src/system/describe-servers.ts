import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { brokerVersion, loginIn, withoutPasswords } from '@corner/nats';
import { defaultCacheFolder } from '../servers/find-nats-server.ts';
import { findPostgresPrograms } from '../servers/postgres-programs.ts';
import { databaseVersion, withoutPassword } from './database-server.ts';

type Settings = Readonly<Record<string, string | undefined>>;

const run = promisify(execFile);

export async function lookForPostgres({ DATABASE_URL }: Settings): Promise<string> {
  if (DATABASE_URL) return `${await databaseVersion(DATABASE_URL)} at ${withoutPassword(DATABASE_URL)}`;
  return `${(await findPostgresPrograms()).version}, embedded`;
}

/** Starts and fetches nothing. Rejects when the address cannot be reached. */
export async function lookForNats(settings: Settings): Promise<string> {
  const { NATS_URL, NATS_SERVER, PATH = '' } = settings;
  if (NATS_URL) return `${await brokerVersion(NATS_URL, loginIn(settings))} at ${withoutPasswords(NATS_URL)}`;
  const places = NATS_SERVER
    ? [NATS_SERVER]
    : [...PATH.split(delimiter).filter(Boolean), defaultCacheFolder].map((folder) => join(folder, 'nats-server'));
  const program = places.find((place) => existsSync(place));
  if (!program && NATS_SERVER)
    throw new Error(`NATS_SERVER names ${NATS_SERVER}, which is not there\nset it to the path of a nats-server, or unset it`);
  if (!program) return 'not here yet: the first start fetches the distribution’s package, or uses Docker';
  const { stdout, stderr } = await run(program, ['--version']);
  return `${/\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'unknown'}, ${program}`;
}
