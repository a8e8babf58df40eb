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
