/** In degrees. */
interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export const positionText = ({ latitude, longitude }: Position): string => `${latitude}, ${longitude}`;

/** Reads a latitude and a longitude in degrees, as maps copy them. Null for any other text. */
export function parsePosition(typed: string): Position | null {
  const [, first = '', second = ''] =
    /^\(?\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*\)?$/.exec(withPlainSigns(typed)) ?? [];
  const [latitude, longitude] = [Number(first), Number(second)];
  return first === '' || Math.abs(latitude) > 90 || Math.abs(longitude) > 180 ? null : { latitude, longitude };
}

const withPlainSigns = (typed: string): string => typed.trim().replaceAll(/[‐-―−]/gu, '-');
