import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { commandOf } from '@corner/sandbox/system';

/** Returns null when the port is free. The id is null when the process belongs to another user. */
export function portOwner(port: number): { readonly pid: number | null; readonly command: string } | null {
  return process.platform === 'linux' ? ownerByProc(port) : ownerByLsof(port);
}

const listening = '0A';

function ownerByProc(port: number): ReturnType<typeof portOwner> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    linesOf(table)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === listening)
      .map((fields) => fields[9] ?? ''),
  );
  if (inodes.length === 0) return null;
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    if (namesIn(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))) {
      return { pid: Number(pid), command: commandOf(Number(pid)) ?? 'unknown' };
    }
  }
  return { pid: null, command: 'a process of another user' };
}

function ownerByLsof(port: number): ReturnType<typeof portOwner> {
  try {
    const pid = Number(execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { encoding: 'utf8' }).split('\n')[0]);
    return pid > 0 ? { pid, command: commandOf(pid) ?? 'unknown' } : null;
  } catch {
    return null;
  }
}

const linesOf = (file: string): string[] => readOr(() => readFileSync(file, 'utf8').trim().split('\n').slice(1), []);
const namesIn = (folder: string): string[] => readOr(() => readdirSync(folder), []);
const linkOf = (file: string): string => readOr(() => readlinkSync(file), '');

function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
