import type { UploadedPicture } from '@corner/contracts';

/**
 * Returns a picture without a camera's metadata, such as the place: EXIF, XMP, texts and comments. Colour profiles stay, and the
 * orientation of a JPEG. A part that is not of its format is returned as it is, since a browser does not read it as metadata either.
 */
export const withoutMetadata = (bytes: Uint8Array, type: UploadedPicture['type']): Uint8Array => strip[type](bytes);

const strip: Readonly<Record<UploadedPicture['type'], (bytes: Uint8Array) => Uint8Array>> = {
  'image/png': (bytes) => joined(pngParts(bytes)),
  'image/jpeg': (bytes) => joined(jpegParts(bytes)),
  'image/webp': webp,
};

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    whole.set(part, at);
    return at + part.length;
  }, 0);
  return whole;
};
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textOf = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** A chunk is a length, a name, data and a checksum. */
function pngParts(bytes: Uint8Array): Uint8Array[] {
  const parts = [bytes.subarray(0, 8)];
  let at = 8;
  for (let size = 0; at + 12 <= bytes.length; at += size) {
    size = 12 + viewOf(bytes).getUint32(at);
    if (!['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'].includes(textOf(bytes, at + 4))) parts.push(bytes.subarray(at, at + size));
  }
  return [...parts, bytes.subarray(Math.min(at, bytes.length))];
}

/** A segment is a marker and a length; the picture itself begins behind 0xffda. JFIF, colour profiles and Adobe's note on colours stay. */
function jpegParts(bytes: Uint8Array): Uint8Array[] {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, 2)];
  let at = 2;
  for (let size = 0; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; at += size) {
    const marker = bytes[at + 1] ?? 0;
    size = marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
    const segment = bytes.subarray(at, at + size);
    const isMetadata = marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee);
    const turned = marker === 0xe1 ? wayUp(segment) : null;
    if (!isMetadata) parts.push(segment);
    else if (turned !== null) parts.push(exifOf(turned));
  }
  return [...parts, bytes.subarray(Math.min(at, bytes.length))];
}

/** Returns the orientation that an EXIF segment has, 2 to 8; null without one and for the usual one. */
function wayUp(segment: Uint8Array): number | null {
  if (textOf(segment, 4) !== 'Exif' || segment.length < 20) return null;
  const tiff = viewOf(segment.subarray(10));
  const little = tiff.getUint16(0) === 0x4949;
  const directory = tiff.getUint32(4, little);
  const entries = directory + 2 <= tiff.byteLength ? tiff.getUint16(directory, little) : 0;
  for (let at = directory + 2, left = entries; left > 0 && at + 12 <= tiff.byteLength; at += 12, left -= 1) {
    const value = tiff.getUint16(at + 8, little);
    if (tiff.getUint16(at, little) === 0x0112) return value >= 2 && value <= 8 ? value : null;
  }
  return null;
}

const exifOf = (orientation: number): Uint8Array =>
  Uint8Array.from([
    0xff,
    0xe1,
    0,
    34,
    0x45,
    0x78,
    0x69,
    0x66,
    0,
    0,
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    0x01,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);

/** A chunk is a name, a length and data, padded to two bytes. The header of the extended form flags the chunks that follow. */
function webp(bytes: Uint8Array): Uint8Array {
  const parts = [bytes.slice(0, 12)];
  let at = 12;
  for (let size = 0; at + 8 <= bytes.length; at += size) {
    const length = viewOf(bytes).getUint32(at + 4, true);
    size = 8 + length + (length % 2);
    const name = textOf(bytes, at);
    if (name === 'EXIF' || name === 'XMP ') continue;
    const chunk = bytes.slice(at, at + size);
    if (name === 'VP8X' && chunk.length > 8) chunk[8] = (chunk[8] ?? 0) & ~0x0c;
    parts.push(chunk);
  }
  const whole = joined([...parts, bytes.subarray(Math.min(at, bytes.length))]);
  if (whole.length !== bytes.length) viewOf(whole).setUint32(4, whole.length - 8, true);
  return whole;
}
