/** Names of everything a system keeps in its data folder; a reset deletes all of it. Cached programs and test folders are not included. */
export const systemData = [
  'postgres',
  'nats',
  'payments.jsonl',
  'messages',
  'issuer-key.json',
  'webhook-secret',
  'console-session-key',
  'log',
  'processes.json',
  'run.json',
] as const;

/** Path of the development issuer's key in a data folder. */
export const keyFileIn = (dataDir: string): string => `${dataDir}/issuer-key.json`;

/** Where a system keeps what the message simulators keep, and the counters of simulated tags. */
export const messagesFolderIn = (dataDir: string): string => `${dataDir}/messages`;
