import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresUser {
  readonly owner: Owner | undefined;
  command(
    program: string,
    args: readonly string[],
  ): { readonly program: string; readonly args: readonly string[]; readonly user: Owner | undefined };
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const ourselves: PostgresUser = { owner: undefined, command: (program, args) => ({ program, args, user: undefined }) };

const unprivilegedUser: Owner = { uid: 65_534, gid: 65_534 };
const asUnprivilegedUser: PostgresUser = {
  owner: unprivilegedUser,
  command: (program, args) => ({ program, args, user: unprivilegedUser }),
};

const run = promisify(execFile);

/**
 * `nobody` when the user is root, as which Postgres refuses to run. `probe` is a program that must run, `folder` one that must be
 * reachable.
 */
export async function choosePostgresUser(probe: string, folder: string | undefined): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return ourselves;
  if ((await isReachable(probe)) && (folder === undefined || (await isReachable(folder)))) return asUnprivilegedUser;
  // Root's own folders are closed to other users. The process gets one capability that lets it in, the lesser one where possible.
  for (const right of ['dac_read_search', 'dac_override']) {
    const user = unprivilegedWith(right);
    const { program, args } = user.command(probe, ['--version']);
    const works = await run(program, args).then(
      () => true,
      () => false,
    );
    if (works) return user;
  }
  return asUnprivilegedUser;
}

/** setpriv replaces itself by the program, so the process id stays the same. */
function unprivilegedWith(right: string): PostgresUser {
  const { uid, gid } = unprivilegedUser;
  const rights = [`--inh-caps=+${right}`, `--ambient-caps=+${right}`, '--securebits=+no_setuid_fixup'];
  const prefix = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights];
  return {
    owner: unprivilegedUser,
    command: (program, args) => ({ program: 'setpriv', args: [...prefix, program, ...args], user: undefined }),
  };
}

async function isReachable(path: string): Promise<boolean> {
  for (let at = dirname(path); ; at = dirname(at)) {
    const { mode, uid } = await stat(at);
    if (!(mode & 0o001) && !(uid === unprivilegedUser.uid && mode & 0o100)) return false;
    if (at === dirname(at)) return true;
  }
}
