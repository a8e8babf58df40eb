/** What a system keeps in its data folder, by name: all that a reset deletes. Programs fetched and folders of tests are not among it. */
export const systemData = [
  'postgres',
  'nats',
  'payments.jsonl',
  'messages',
  'issuer-key.json',
  'webhook-secret',
  'log',
  'processes.json',
  'run.json',
] as const;
