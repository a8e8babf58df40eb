import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The secret the simulator signs its webhooks with: made once, kept with the data, so that a webhook that waits over a restart stays good. */
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
