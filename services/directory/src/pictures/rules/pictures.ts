import type { UploadedPicture } from '@corner/contracts';

/** Returns a picture's type by its first bytes; null for anything but PNG, JPEG or WebP. Its name and its headers are not read. */
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

/** Pixels that a picture may have: more than a phone's camera takes, and few enough for a phone's memory. */
export const mostPixels = 50_000_000;

/** Returns how many pixels a picture declares; 0 when its beginning does not say. A small file may unfold to a huge picture. */
export function pixelsOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = (at: number, read: (at: number) => number): number => (at + 4 <= bytes.length ? read(at) : 0);
  const big = (at: number) => from(at, () => view.getUint16(at));
  const little = (at: number) => from(at, () => view.getUint32(at, true));
  switch (pictureTypeOf(bytes)) {
    case 'image/png':
      return from(16, (at) => view.getUint32(at)) * from(20, (at) => view.getUint32(at));
    case 'image/webp': {
      const form = String.fromCharCode(bytes[15] ?? 0);
      if (form === 'X') return ((little(24) & 0xff_ffff) + 1) * ((little(27) & 0xff_ffff) + 1);
      if (form === 'L') return ((little(21) & 0x3fff) + 1) * (((little(21) >>> 14) & 0x3fff) + 1);
      return (little(26) & 0x3fff) * ((little(26) >>> 16) & 0x3fff);
    }
    case 'image/jpeg': {
      // The size stands in the first frame header, behind segments that each say how long they are. Any number of 0xff may precede a marker.
      for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += bytes[at + 1] === 0xff ? 1 : 2 + big(at + 2)) {
        const marker = bytes[at + 1] ?? 0;
        if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return big(at + 5) * big(at + 7);
      }
      return 0;
    }
    default:
      return 0;
  }
}
