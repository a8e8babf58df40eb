import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { openEmail } from './email.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = { domain: 'example.com', selector: 'corner', key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
const mail = {
  subject: 'Prêt à emporter',
  text: 'Ça y est.\n',
  html: '<p>Ça y est.</p>',
  language: 'fr-FR',
  senderName: 'Bea’s Bakery',
  replyTo: 'bea@bakery.example',
  unsubscribeUrl: 'https://shop.example/unsubscribe/token',
};

/** Accepts one mail and returns the bytes that came between DATA and the final dot. */
async function rawMail(settings: { readonly dkim: typeof dkim | null }): Promise<string> {
  let raw = '';
  const server = createServer((socket) => {
    let isData = false;
    socket.setEncoding('latin1').write('220 test\r\n');
    socket.on('data', (chunk: string) => {
      if (isData) {
        raw += chunk;
        if (!raw.endsWith('\r\n.\r\n')) return;
        isData = false;
        socket.write('250 ok\r\n');
      } else if (/^DATA/i.test(chunk)) {
        isData = true;
        socket.write('354 go\r\n');
      } else socket.write('250 ok\r\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const channel = openEmail({
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    from: 'Corner <no@example.com>',
    ...settings,
  });
  expect(await channel.deliver({ id: 'id', to: 'ana@example.com', mail })).toEqual({ status: 'delivered' });
  await channel.close();
  server.close();
  return raw.slice(0, -3).replaceAll('\r\n..', '\r\n.');
}

/** Relaxed canonicalisation of a header (RFC 6376, 3.4.2). */
const relaxed = (header: string) =>
  header
    .replace(/^([^:]+):\s*/, (_, name: string) => `${name.toLowerCase().trim()}:`)
    .replaceAll(/\s+/g, ' ')
    .trim();

test('a mail is signed, with the headers that stop messages, and the signature verifies', async () => {
  const raw = await rawMail({ dkim });
  const split = raw.indexOf('\r\n\r\n');
  const headers = raw.slice(0, split).split(/\r\n(?![ \t])/);
  const signature = headers.find((header) => /^DKIM-Signature:/i.test(header)) ?? '';
  const tag = (name: string) => new RegExp(`[;:\\s]${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? '';
  expect([tag('d'), tag('s'), tag('c')]).toEqual(['example.com', 'corner', 'relaxed/relaxed']);
  const signed = tag('h').toLowerCase().split(':');
  expect(signed).toEqual(expect.arrayContaining(['from', 'reply-to', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']));

  const body = `${raw
    .slice(split + 4)
    .replaceAll(/[ \t]+\r\n/g, '\r\n')
    .replaceAll(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '')}\r\n`;
  expect(createHash('sha256').update(body, 'latin1').digest('base64')).toBe(tag('bh'));
  const covered = signed.map((name) => headers.find((header) => header.toLowerCase().startsWith(`${name}:`)) ?? '');
  const unsigned = relaxed(signature).replace(/([;\s]b=).*$/, '$1');
  const input = [...covered.map(relaxed), unsigned].join('\r\n');
  expect(createVerify('RSA-SHA256').update(input, 'latin1').verify(publicKey, tag('b'), 'base64')).toBe(true);
});

test('without a key a mail is not signed', async () => {
  expect(await rawMail({ dkim: null })).not.toMatch(/DKIM-Signature/i);
});
