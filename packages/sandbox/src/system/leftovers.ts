import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, type LedgerEntry, readLedger } from './ledger.ts';

/** Milliseconds a process may take to end by itself. */
const patienceMs = 8_000;

/**
 * Ends what an earlier system left running after its supervisor was killed. Answers the names of what it ended.
 * Does nothing while that supervisor lives.
 */
export async function stopLeftovers(dataDir: string): Promise<string[]> {
  const ledger = readLedger(dataDir);
  if (!ledger || isAlive(ledger.supervisor)) return [];
  const left = Object.entries(ledger.processes).filter(([, entry]) => isAlive(entry));
  await Promise.all(left.map(([, entry]) => endProcess(entry)));
  rmSync(`${dataDir}/processes.json`, { force: true });
  rmSync(`${dataDir}/run.json`, { force: true });
  return left.map(([name]) => name);
}

/** Asks a process to end, and makes it and its group when it takes too long. Resolves when it is gone. */
export async function endProcess(entry: LedgerEntry, withinMs = patienceMs): Promise<void> {
  send(entry.pid, entry.stopSignal);
  for (const deadline = Date.now() + withinMs; isAlive(entry); ) {
    if (Date.now() > deadline) for (const whom of [entry.pid, -entry.pid]) send(whom, 'SIGKILL');
    await pause(25);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
