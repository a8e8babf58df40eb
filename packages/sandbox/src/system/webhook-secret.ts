import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The secret with which the simulator signs webhooks: made once and kept with the data, so that webhooks sent after a restart verify. */
export function webhookSecretIn(dataDir: string): string {
  const file = `${dataDir}/webhook-secret`;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    mkdirSync(dataDir, { recursive: true });
    const secret = `whsec_${randomBytes(24).toString('base64url')}`;
    writeFileSync(file, secret, { mode: 0o600 });
    return secret;
  }
}
