import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** The description of a running system. Contains development tokens, and no secret of the system itself. */
export const RunFile = z.object({
  gateway: z.url(),
  docs: z.url(),
  console: z.url().nullable().default(null),
  shop: z.url().nullable().default(null),
  payments: z.url().nullable(),
  messages: z.url().nullable().default(null),
  issuer: z.url(),
  /** Without its password when the server was not started by the system. */
  postgres: z.string(),
  nats: z.string(),
  services: z.record(z.string(), z.object({ url: z.url(), pid: z.int().positive() })),
  tokens: z.object({ ana: z.string(), bo: z.string(), cy: z.string() }),
  stores: z.array(z.object({ id: z.guid(), code: z.string(), name: z.string() })),
  customers: z.array(z.object({ id: z.guid(), name: z.string(), addresses: z.array(z.string()).default([]) })),
});
export type RunFile = z.output<typeof RunFile>;

export const runFileIn = (dataDir: string): string => `${dataDir}/run.json`;

/** Writes the description atomically, readable by its owner only. */
export function writeRunFile(dataDir: string, run: RunFile): void {
  mkdirSync(dataDir, { recursive: true });
  const file = runFileIn(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(RunFile.parse(run), null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Returns null when there is no file. Throws when the file is not a description. */
export function readRunFile(file: string): RunFile | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return RunFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} does not describe a running system`, { cause });
  }
}

export const removeRunFile = (dataDir: string): void => rmSync(runFileIn(dataDir), { force: true });
