import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { identityOf } from './process-identity.ts';

const Entry = z.object({
  pid: z.int().positive(),
  /** See {@link identityOf}. */
  identity: z.string(),
  /** What ends it in good order. */
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});
export type LedgerEntry = z.output<typeof Entry>;

const Ledger = z.object({ supervisor: Entry, processes: z.record(z.string(), Entry) });
export type LedgerState = z.output<typeof Ledger>;

/** A running system of the same data folder stands in the way. */
export class AlreadyRunning extends Error {
  readonly pid: number;
  constructor(pid: number) {
    super(`corner already runs here as process ${pid}`);
    this.name = 'AlreadyRunning';
    this.pid = pid;
  }
}

/** The list of processes a running system consists of. It outlives a supervisor that is killed, so that whoever comes next can end what is left. */
export interface Ledger {
  note(name: string, pid: number, stopSignal?: LedgerEntry['stopSignal']): void;
  forget(name: string): void;
  close(): void;
}

const fileIn = (dataDir: string): string => `${dataDir}/processes.json`;

/** Takes the data folder for this process. Throws {@link AlreadyRunning} when a living one has it; one that is dead leaves it to us. */
export function openLedger(dataDir: string): Ledger {
  mkdirSync(dataDir, { recursive: true });
  const before = readLedger(dataDir);
  if (before && isAlive(before.supervisor)) throw new AlreadyRunning(before.supervisor.pid);
  const state: LedgerState = { supervisor: entryOf(process.pid, 'SIGTERM'), processes: {} };
  const write = () => {
    // Whole or not at all: a half-written list would hide what still runs.
    writeFileSync(`${fileIn(dataDir)}.new`, JSON.stringify(state, null, 2));
    renameSync(`${fileIn(dataDir)}.new`, fileIn(dataDir));
  };
  rmSync(fileIn(dataDir), { force: true });
  // "wx": of two that start at the same moment one is first.
  writeFileSync(fileIn(dataDir), JSON.stringify(state, null, 2), { flag: 'wx' });
  return {
    note(name, pid, stopSignal = 'SIGTERM') {
      state.processes[name] = entryOf(pid, stopSignal);
      write();
    },
    forget(name) {
      delete state.processes[name];
      write();
    },
    close: () => rmSync(fileIn(dataDir), { force: true }),
  };
}

/** The list as it stands; null when there is none, or none that can be read. */
export function readLedger(dataDir: string): LedgerState | null {
  try {
    return Ledger.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** Whether the very process of an entry still runs, not merely one with its id. */
export const isAlive = (entry: LedgerEntry): boolean => identityOf(entry.pid) === entry.identity;

const entryOf = (pid: number, stopSignal: LedgerEntry['stopSignal']): LedgerEntry => ({ pid, identity: identityOf(pid) ?? '', stopSignal });
