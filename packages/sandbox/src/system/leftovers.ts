import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, type LedgerEntry, readLedger } from './ledger.ts';

const patienceMs = 8_000;

export async function stopLeftovers(dataDir: string): Promise<string[]> {
  const ledger = readLedger(dataDir);
  if (!ledger || isAlive(ledger.supervisor)) return [];
  const left = Object.entries(ledger.processes).filter(([, entry]) => isAlive(entry));
  await Promise.all(left.map(([, entry]) => endProcess(entry)));
  rmSync(`${dataDir}/processes.json`, { force: true });
  rmSync(`${dataDir}/run.json`, { force: true });
  return left.map(([name]) => name);
}

/** Sends SIGKILL to its group when it takes too long. Resolves when the process has ended. */
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
    // It has ended already.
  }
}
