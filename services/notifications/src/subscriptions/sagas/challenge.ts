import { Problem, webhookChallenge } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { isAllowedHost } from '../adapters/address.ts';
import type { ReceiverResponse } from '../adapters/receiver.ts';
import { signWebhook, webhookSecret } from '../crypto.ts';
import { challengesOfHostInMinute, confirms, hostOf, nextMinute } from '../rules/limits.ts';
import { claimRequests } from '../tables/hosts.ts';
import { selectChallenge } from '../tables/webhooks.ts';
import { confirmWebhook, type WebhookOfStore } from '../transactions.ts';

/**
 * Asks the receiver of an unconfirmed webhook to return a value, which shows that it wants events. Returns its response; null for a webhook
 * that needs no challenge. Throws RATE_LIMITED when the host was challenged often; hosts that the operator names have no limit.
 */
export async function challengeReceiver(of: WebhookOfStore, context: Context): Promise<ReceiverResponse | null> {
  const { database, now, newId, webhooks, webhookSignal } = context;
  const asked = await selectChallenge(database, of);
  if (!asked) return null;
  const { url, challenge, secret_number } = asked;
  const at = now();
  const claim = { host: hostOf(url), kind: 'challenges', wanted: 1, limit: challengesOfHostInMinute, now: at } as const;
  if (!isAllowedHost(new URL(url), webhooks.addresses.allowedHosts) && (await claimRequests(database, claim)) < 1)
    throw new Problem('RATE_LIMITED', {
      message: 'The host of the address was asked often within a minute: send the challenge again later.',
      retryAfterSeconds: Math.ceil((nextMinute(at).getTime() - at.getTime()) / 1000),
    });
  const { type, version } = webhookChallenge;
  const body = JSON.stringify({ type, version, timestamp: at.toISOString(), webhook_id: of.id, store_id: of.storeId, data: { challenge } });
  const secrets = [webhookSecret(webhooks.key, of.id, secret_number)];
  const headers = { 'content-type': 'application/json', ...signWebhook({ id: newId(), at, body, secrets }) };
  const response = await webhooks.receivers.post({ url, headers, body });
  if (confirms(response, challenge) && (await database.transaction((tx) => confirmWebhook(tx, of, challenge)))) webhookSignal.raise();
  return response;
}
