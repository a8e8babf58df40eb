import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signWebhook, webhookSecret } from './crypto.ts';

const key = 'k'.repeat(32);
const webhookId = '0190a000-0000-7000-8000-0000000000e1';
const body = '{"type":"order.paid","name":"Zoë ☕"}';
const [old, current] = [webhookSecret(key, webhookId, 1), webhookSecret(key, webhookId, 2)];
/** The library compares the timestamp with the clock of the machine. */
const sign = (secrets: readonly string[]) => signWebhook({ id: 'msg_1', at: new Date(), body, secrets });

test('the library of Standard Webhooks accepts a signature with the secret, and refuses another body, id or secret', () => {
  const headers = sign([current]);
  const receiver = new Webhook(current);
  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature');
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow('No matching signature');
  expect(() => new Webhook(old).verify(body, headers)).toThrow('No matching signature');
});

test('while a secret is being replaced, a receiver with either of the two accepts', () => {
  const headers = sign([current, old]);
  for (const secret of [old, current]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('a secret is of one key, webhook and generation', () => {
  const secrets = [old, current, webhookSecret(key, `${webhookId}0`, 1), webhookSecret('j'.repeat(32), webhookId, 1)];
  expect(new Set(secrets).size).toBe(4);
  expect(webhookSecret(key, webhookId, 1)).toBe(old);
  // 24 to 64 bytes, as the specification demands.
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
});

test('seconds are whole, so that the receiver signs the same text', () => {
  const signed = signWebhook({ id: 'msg_1', at: new Date('2026-06-01T12:00:00.999Z'), body, secrets: [current] });
  expect(signed['webhook-timestamp']).toBe('1780315200');
});
