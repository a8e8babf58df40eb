import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The start time as the system writes it, which a later process with the same id does not share. Null when there is none. */
export function identityOf(pid: number): string | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | null {
  const stat = statOf(pid);
  return stat === null || stat.state === 'Z' ? null : stat.began;
}

function statOf(pid: number): { readonly state: string; readonly parent: number; readonly began: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), began: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function fromPs(pid: number): string | null {
  const [state = '', ...began] = (ps(pid, 'state=,lstart=') ?? '').split(/\s+/);
  return state === '' || state.startsWith('Z') ? null : began.join(' ');
}

export function parentOf(pid: number): number | null {
  if (process.platform === 'linux') return statOf(pid)?.parent ?? null;
  const parent = Number(ps(pid, 'ppid='));
  return parent > 0 ? parent : null;
}

export function commandOf(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return null;
  }
}

function ps(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
