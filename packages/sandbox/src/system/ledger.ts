import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { identityOf } from './process-identity.ts';

const Entry = z.object({
  pid: z.int().positive(),
  identity: z.string(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});
export type LedgerEntry = z.output<typeof Entry>;

const Ledger = z.object({ supervisor: Entry, processes: z.record(z.string(), Entry) });
export type LedgerState = z.output<typeof Ledger>;

export class AlreadyRunning extends Error {
  readonly pid: number;
  constructor(pid: number) {
    super(`corner already runs here as process ${pid}`);
    this.name = 'AlreadyRunning';
    this.pid = pid;
  }
}

export interface Ledger {
  note(name: string, pid: number, stopSignal?: LedgerEntry['stopSignal']): void;
  forget(name: string): void;
  close(): void;
}

const fileIn = (dataDir: string): string => `${dataDir}/processes.json`;

/**
 * Throws {@link AlreadyRunning} when a running process has the folder; a dead owner is replaced. The file is written atomically and
 * outlives a killed supervisor, so that the next start can end all processes it lists.
 */
export function openLedger(dataDir: string): Ledger {
  mkdirSync(dataDir, { recursive: true });
  const before = readLedger(dataDir);
  if (before && isAlive(before.supervisor)) throw new AlreadyRunning(before.supervisor.pid);
  const state: LedgerState = { supervisor: entryOf(process.pid, 'SIGTERM'), processes: {} };
  const write = () => {
    writeFileSync(`${fileIn(dataDir)}.new`, JSON.stringify(state, null, 2));
    renameSync(`${fileIn(dataDir)}.new`, fileIn(dataDir));
  };
  rmSync(fileIn(dataDir), { force: true });
  writeFileSync(fileIn(dataDir), JSON.stringify(state, null, 2), { flag: 'wx' });
  return {
    note(name, pid, stopSignal = 'SIGTERM') {
      state.processes[name] = entryOf(pid, stopSignal);
      write();
    },
    forget(name) {
      delete state.processes[name];
      try {
        write();
      } catch {
        // The disk is full. The entry of a process that has ended does no harm.
      }
    },
    close: () => rmSync(fileIn(dataDir), { force: true }),
  };
}

export function readLedger(dataDir: string): LedgerState | null {
  try {
    return Ledger.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** Another process may have the same process id. */
export const isAlive = (entry: LedgerEntry): boolean => identityOf(entry.pid) === entry.identity;

const entryOf = (pid: number, stopSignal: LedgerEntry['stopSignal']): LedgerEntry => ({ pid, identity: identityOf(pid) ?? '', stopSignal });
