import { hash as digest } from 'node:crypto';
import type { Webhook } from '@corner/chassis';
import { manager, maxPictureBytes, Problem, picturesPath, UploadedPicture } from '@corner/contracts';
import type { Context } from '../context.ts';
import { withoutMetadata } from './rules/picture-metadata.ts';
import { mostPixels, pictureTypeOf, pixelsOf } from './rules/pictures.ts';
import { findPicture, keepPicture } from './tables.ts';

const mostADay = 200;
const dayInSeconds = 86_400;

export const uploadPicture: Webhook<Context> = {
  path: picturesPath,
  caller: manager,
  maxBytes: maxPictureBytes,
  async run({ body, caller, query }, { database, now }) {
    const type = pictureTypeOf(body);
    if (!type) throw new Problem('UNSUPPORTED_MEDIA_TYPE', { message: 'The bytes are not those of a PNG, JPEG or WebP picture.' });
    const pixels = pixelsOf(body);
    if (pixels === 0)
      throw new Problem('UNSUPPORTED_MEDIA_TYPE', { message: 'The picture does not say how large it is. Save it again as PNG or JPEG.' });
    if (pixels > mostPixels)
      throw new Problem('PAYLOAD_TOO_LARGE', { message: `The picture has more than ${mostPixels / 1_000_000} million pixels.` });
    const bytes = Buffer.from(withoutMetadata(body, type));
    const hash = digest('sha256', bytes);
    const storeId = query.get('store_id') ?? '';
    const kept = await keepPicture(database, { hash, type, bytes, storeId, byId: caller.id, at: now() }, mostADay);
    if (!kept)
      throw new Problem('RATE_LIMITED', {
        message: `A store uploads at most ${mostADay} new pictures in a day.`,
        retryAfterSeconds: dayInSeconds,
      });
    return { status: 200, body: UploadedPicture.parse({ hash, url: `${picturesPath}/${hash}`, type }) };
  },
};

/** The address holds the hash of the bytes, so a copy is good for ever; and nothing in a picture can run. */
export const readPicture: Webhook<Context> = {
  method: 'GET',
  path: `${picturesPath}/{hash}`,
  async run({ params: { hash = '' } }, { database }) {
    const picture = await findPicture(database, hash);
    if (!picture) throw new Problem('ROUTE_NOT_FOUND', { message: 'There is no such picture.' });
    return {
      status: 200,
      headers: {
        'Content-Type': picture.type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      },
      body: picture.bytes,
    };
  },
};
