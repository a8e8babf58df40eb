import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A reset deletes all of it. Cached programs and test folders are not included. */
export const systemData = [
  'postgres',
  'nats',
  'payments.jsonl',
  'messages',
  'issuer-key.json',
  'book-signing-key.json',
  'webhook-secret',
  'console-session-key',
  'log',
  'processes.json',
  'run.json',
] as const;

export const keyFileIn = (dataDir: string): string => `${dataDir}/issuer-key.json`;

export const messagesFolderIn = (dataDir: string): string => `${dataDir}/messages`;

/** Made once and kept with the data, so that webhooks sent after a restart verify. */
export const webhookSecretIn = (dataDir: string): string =>
  keptIn(dataDir, 'webhook-secret', () => `whsec_${randomBytes(24).toString('base64url')}`);

export const sessionKeyIn = (dataDir: string): string =>
  keptIn(dataDir, 'console-session-key', () => randomBytes(32).toString('base64url'));

export const bookKeyIn = (dataDir: string): string =>
  keptIn(dataDir, 'book-signing-key.json', () => JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })));

function keptIn(dataDir: string, name: string, make: () => string): string {
  const file = `${dataDir}/${name}`;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    mkdirSync(dataDir, { recursive: true });
    const secret = make();
    writeFileSync(file, secret, { mode: 0o600 });
    return secret;
  }
}
