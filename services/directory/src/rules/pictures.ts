import type { UploadedPicture } from '@corner/contracts';

/** Returns what a picture is, by its first bytes; null for anything that is no PNG, JPEG or WebP. Its name and its headers are not read. */
export function pictureTypeOf(bytes: Uint8Array): UploadedPicture['type'] | null {
  const has = (at: number, ...wanted: readonly (string | number)[]) =>
    wanted
      .flatMap((part) => (typeof part === 'number' ? [part] : [...part].map((letter) => letter.charCodeAt(0))))
      .every((byte, index) => bytes[at + index] === byte);
  if (has(0, 0x89, 'PNG\r\n', 0x1a, '\n') && has(12, 'IHDR')) return 'image/png';
  if (has(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (has(0, 'RIFF') && has(8, 'WEBPVP8')) return 'image/webp';
  return null;
}
