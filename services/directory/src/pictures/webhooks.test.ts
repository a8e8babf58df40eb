import { hash } from 'node:crypto';
import { maxPictureBytes, picturesPath, type Role } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const storeId = '0190a000-0000-7000-8000-000000000001';
const merchantId = '0190a000-0000-7000-8000-0000000000b1';
const tokenOf = (role: Role = 'manager', id = storeId) =>
  running.issuer.token({ typ: 'merchant', sub: merchantId, stores: [{ id, role }] });

async function upload(bytes: Buffer, { token, store = storeId }: { token?: string | null; store?: string } = {}) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token ?? (await tokenOf())}` };
  const headers = { ...authorization, 'content-type': 'text/html' };
  const response = await fetch(`${running.service.url}${picturesPath}?store_id=${store}`, { method: 'POST', headers, body: bytes });
  const body = (await response.json()) as { hash: string; url: string; error?: { code: string } };
  return { status: response.status, body, code: body.error?.code };
}

const read = (digest: string) => fetch(`${running.service.url}${picturesPath}/${digest}`);

const ascii = (text: string) => Buffer.from(text, 'latin1');
const png = (more: string) => ascii(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0crc.${more}`);
const jpeg = (more: string) => ascii(`\xff\xd8\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xda${more}`);
const webp = (more: string) => ascii(`RIFF\x1a\0\0\0WEBPVP8L\x05\0\0\0\x2f\0\0\0\0\0${more}`);

describe('a picture', () => {
  test.each([
    ['image/png', png('a')],
    ['image/jpeg', jpeg('a')],
    ['image/webp', webp('a')],
  ])('is kept as %s, by its bytes, and read for ever, as data that runs nothing', async (type, bytes) => {
    const { status, body } = await upload(bytes);
    expect([status, body]).toEqual([200, { hash: hash('sha256', bytes), url: `${picturesPath}/${body.hash}`, type }]);
    const response = await fetch(running.service.url + body.url);
    expect(Buffer.from(await response.bytes())).toEqual(bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test('that is uploaded twice, also at once and by another store, is one', async () => {
    const bytes = png('twice');
    const other = '0190a000-0000-7000-8000-000000000002';
    const uploads = [upload(bytes), upload(bytes), upload(bytes, { store: other, token: await tokenOf('owner', other) })];
    const replies = await Promise.all(uploads);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(replies[0]?.status).toBe(200);
  });

  test('may have a megabyte and no byte more', async () => {
    const largest = Buffer.concat([png(''), Buffer.alloc(maxPictureBytes - png('').length)]);
    expect((await upload(largest)).status).toBe(200);
    expect(await upload(Buffer.concat([largest, Buffer.alloc(1)]))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  test.each([
    ['no bytes', ''],
    ['a page with a script', '<html><script>alert(1)</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a GIF', 'GIF89a\x01\0\x01\0'],
    ['a sound in the container of WebP', 'RIFF\x08\0\0\0WAVEfmt '],
    ['a PNG that does not say how large it is', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['a JPEG without a frame', '\xff\xd8\xff\xda\0\x08\x01\x01\0\0\x3f\0picture'],
    ['a WebP without a size', 'RIFF\x08\0\0\0WEBPVP8 '],
    ['half of the beginning of a PNG', '\x89PNG\r\n\x1a\n'],
  ])('is refused when it is %s, whatever its headers say', async (_, text) => {
    expect(await upload(ascii(text))).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect((await read(hash('sha256', ascii(text)))).status).toBe(404);
  });

  const chunk = (name: string, data: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return `${length.toString('latin1')}${name}${data}crc.`;
  };
  const segment = (marker: string, data: string) => `\xff${marker}\0${String.fromCharCode(data.length + 2)}${data}`;
  const tiff = 'II*\0\x08\0\0\0\x02\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\x25\x88\x04\0\x01\0\0\0\0\0\0\0\0\0\0\0GPS of the flat';
  const riff = (name: string, data: string) => `${name}${String.fromCharCode(data.length)}\0\0\0${data}${data.length % 2 ? '\0' : ''}`;
  const size = '\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0';
  const extended = `\x2c\0\0\0${'\0'.repeat(6)}`;

  test.each([
    ['a PNG', png(`${chunk('eXIf', tiff)}${chunk('tEXt', 'Comment\0GPS')}${chunk('IDAT', 'sun')}`), png(chunk('IDAT', 'sun'))],
    [
      'a JPEG, which stays upright',
      ascii(`\xff\xd8${segment('\xe0', 'JFIF')}${segment('\xe1', `Exif\0\0${tiff}`)}${segment('\xfe', 'GPS')}${size}\xff\xda sun`),
      ascii(
        `\xff\xd8${segment('\xe0', 'JFIF')}${segment('\xe1', 'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0')}${size}\xff\xda sun`,
      ),
    ],
    [
      'a WebP',
      ascii(`RIFF\x60\0\0\0WEBP${riff('VP8X', extended)}${riff('VP8L', 'sun!')}${riff('EXIF', tiff)}${riff('XMP ', 'GPS')}`),
      ascii(`RIFF\x22\0\0\0WEBP${riff('VP8X', `\x20${extended.slice(1)}`)}${riff('VP8L', 'sun!')}`),
    ],
  ])('is kept without the place and the notes that a camera wrote: %s', async (_, bytes, kept) => {
    const { status, body } = await upload(bytes);
    expect([status, body.hash]).toEqual([200, hash('sha256', kept)]);
    const served = Buffer.from(await (await fetch(running.service.url + body.url)).bytes());
    expect(served.toString('latin1')).toBe(kept.toString('latin1'));
    expect(served.toString('latin1')).not.toContain('GPS');
  });

  const sized = {
    png: (width: number, height: number) => {
      const bytes = png('');
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      return bytes;
    },
    jpeg: (width: number, height: number) => {
      const [frame, table] = [Buffer.from('ffc2001108000000000300', 'hex'), Buffer.from('ffffffc40004aaaa', 'hex')];
      frame.writeUInt16BE(height, 5);
      frame.writeUInt16BE(width, 7);
      return Buffer.concat([Buffer.from('ffd8ffe00004aaaa', 'hex'), table, frame]);
    },
    'webp with parts': (width: number, height: number) => {
      const bytes = Buffer.concat([ascii('RIFF\x08\0\0\0WEBPVP8X\x0a\0\0\0'), Buffer.alloc(14)]);
      bytes.writeUIntLE(width - 1, 24, 3);
      bytes.writeUIntLE(height - 1, 27, 3);
      return bytes;
    },
    'webp without loss': (width: number, height: number) => {
      const bytes = Buffer.concat([ascii('RIFF\x08\0\0\0WEBPVP8L\x0a\0\0\0\x2f'), Buffer.alloc(8)]);
      bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
      return bytes;
    },
    'webp with loss': (width: number, height: number) => {
      const bytes = Buffer.concat([ascii('RIFF\x08\0\0\0WEBPVP8 '), Buffer.alloc(16)]);
      bytes.writeUInt16LE(width, 26);
      bytes.writeUInt16LE(height, 28);
      return bytes;
    },
  };

  test.each(Object.entries(sized))(
    'of fifty million pixels is kept, and a small file that unfolds to more is refused: %s',
    async (_, of) => {
      expect(await upload(of(10_000, 5_000))).toMatchObject({ status: 200 });
      expect(await upload(of(10_000, 5_001))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    },
  );

  test('that no one uploaded is not found', async () => {
    for (const digest of ['0'.repeat(64), 'logo.png', '..%2f..%2fetc']) expect((await read(digest)).status).toBe(404);
  });
});

test('managers upload, for a store of their token', async () => {
  expect(await upload(png('who'), { token: null })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  expect(await upload(png('who'), { token: await tokenOf('staff') })).toMatchObject({ status: 403, code: 'INSUFFICIENT_ROLE' });
  expect(await upload(png('who'), { store: merchantId })).toMatchObject({ status: 403, code: 'STORE_FORBIDDEN' });
  const customer = await running.issuer.token({ typ: 'customer', sub: merchantId });
  expect(await upload(png('who'), { token: customer })).toMatchObject({ status: 403, code: 'WRONG_TOKEN_TYPE' });
  expect((await read(hash('sha256', png('who')))).status).toBe(404);
});

test('a store uploads two hundred new pictures in a day; those that are kept count no more, and the next day it goes on', async () => {
  const id = '0190a000-0000-7000-8000-000000000003';
  const picture = async (n: number) => upload(jpeg(`quota ${n}`), { store: id, token: await tokenOf('owner', id) });
  const first = Array.from({ length: 200 }, (_, n) => n);
  for (let n = 0; n < 200; n += 20) await Promise.all(first.slice(n, n + 20).map(picture));
  expect(await picture(200)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect((await picture(0)).status).toBe(200);
  running.clock.advance({ hours: 25 });
  expect((await picture(200)).status).toBe(200);
});
