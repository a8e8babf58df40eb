import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/**
 * A killable receiver of webhooks, like a store's own system: `main.ts <library|specification> <folder> <port>`. It stores a line for each
 * request before it responds, so a kill loses nothing confirmed. Of a thousand events it refuses two and leaves two stored ones without a
 * response, at first sight only.
 */
const [way = '', folder = '', port = '0'] = process.argv.slice(2);

type Verify = (secret: string, headers: IncomingHttpHeaders, body: Buffer) => boolean;

const byLibrary: Verify = (secret, headers, body) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

/** Written from the specification of Standard Webhooks, to detect a mistake that a library and the sender share. */
const bySpecification: Verify = (secret, headers, body) => {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`] ?? ''));
  if (!/^\d+$/.test(timestamp ?? '') || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return (signatures ?? '').split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

const verify = way === 'library' ? byLibrary : bySpecification;
let secrets: Readonly<Record<string, string>> = {};
const secretOf = (webhookId: string): string | undefined => {
  if (!secrets[webhookId]) secrets = JSON.parse(readFileSync(`${folder}/secrets.json`, 'utf8'));
  return secrets[webhookId];
};

const seenFile = `${folder}/${way}-seen`;
const seen = new Set(existsSync(seenFile) ? readFileSync(seenFile, 'utf8').split('\n') : []);
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  const { webhook_id, number, type, data } = JSON.parse(body.toString());
  if (type === 'webhook.challenge') {
    response.end(data.challenge);
    return;
  }
  const id = `${webhook_id}_${number}`;
  const secret = secretOf(webhook_id);
  if (secret === undefined || request.headers['webhook-id'] !== id || !verify(secret, request.headers, body)) {
    appendFileSync(`${folder}/${way}-refused`, `${id} ${JSON.stringify(request.headers)}\n`);
    response.writeHead(401).end();
    return;
  }
  const drawn = seen.has(id) ? 500 : createHash('sha256').update(id).digest().readUInt32BE() % 1000;
  seen.add(id);
  appendFileSync(seenFile, `${id}\n`);
  if (drawn < 2) {
    response.writeHead(500).end('not now');
    return;
  }
  const order = String(type).startsWith('order.') ? data.order_id : '-';
  appendFileSync(`${folder}/${way}-stored`, `${webhook_id} ${number} ${createHash('sha256').update(body).digest('hex')} ${order}\n`);
  if (drawn > 997) request.socket.destroy();
  else response.writeHead(204).end();
}

const server = createServer((request, response) => void receive(request, response).catch(() => request.socket.destroy()));
server.listen(Number(port), '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
