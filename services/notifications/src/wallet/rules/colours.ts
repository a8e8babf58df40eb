/** A pass’s two colours, `#rrggbb`: a store’s own ground, and whichever of black and white is read on it. */
export interface PassColours {
  readonly background: string;
  readonly foreground: string;
}

const plain = '#1f2a44';

/** Chooses the text’s colour by the ground’s luminance as WCAG 2 weighs it. */
export function coloursOn(background: string | null): PassColours {
  const ground = background ?? plain;
  const [red, green, blue] = channelsOf(ground).map((channel) => {
    const share = channel / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  // Where black and white stand out equally.
  return { background: ground, foreground: 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff' };
}

/** `#rrggbb` as Apple writes it. */
export const rgbOf = (colour: string): string => `rgb(${channelsOf(colour).join(', ')})`;

const channelsOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
