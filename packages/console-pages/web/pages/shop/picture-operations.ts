import type { UploadedPicture } from '@corner/contracts';
import { failureOf, RequestFailed } from '../../logic/refusal.ts';

/** Pixels: no screen shows more. The service refuses more than `mostBytes`. */
const longestSide = 1_600;
const mostBytes = 1024 * 1024;
const quality = 0.85;

export async function uploadPicture(storeId: string, file: Blob): Promise<string> {
  const body = await shrunk(file);
  const path = `/api/v1/directory/pictures?store_id=${encodeURIComponent(storeId)}`;
  const headers = { 'content-type': body.type };
  const response = await fetch(path, { method: 'POST', headers, body, credentials: 'same-origin' }).catch(() => {
    throw new RequestFailed(0, 'NO_CONNECTION', 'The console’s server did not reply. Is the network there?');
  });
  const content: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response.status, content, response.headers.get('x-request-id') ?? undefined);
  return (content as UploadedPicture).url;
}

async function shrunk(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new RequestFailed(400, 'UNSUPPORTED_MEDIA_TYPE', 'The file is not a picture that this browser can read.');
  });
  let scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  if (scale === 1 && file.size <= mostBytes && /^image\/(png|jpeg|webp)$/.test(file.type)) return file;
  // A browser that cannot write WebP writes PNG, which is large for a photo.
  const type = file.type === 'image/jpeg' ? file.type : 'image/webp';
  for (;;) {
    const canvas = new OffscreenCanvas(Math.ceil(picture.width * scale), Math.ceil(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await canvas.convertToBlob({ type, quality });
    if (made.size <= mostBytes) return made;
    scale /= 1.5;
  }
}
