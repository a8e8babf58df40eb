/** A pass's two colours, `#rrggbb`: the store's background, and black or white for text, whichever has more contrast. */
export interface PassColours {
  readonly background: string;
  readonly foreground: string;
}

/** Chooses a pass's colours by the background's luminance (WCAG 2). Null stands for the default background. */
export function passColours(storeBackground: string | null): PassColours {
  const background = storeBackground ?? defaultBackground;
  const [red, green, blue] = rgbChannels(background).map((channel) => {
    const share = channel / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return { background, foreground: luminance > equalContrast ? '#000000' : '#ffffff' };
}

/** Converts `#rrggbb` to Apple's `rgb(r, g, b)`. */
export const toRgb = (colour: string): string => `rgb(${rgbChannels(colour).join(', ')})`;

const defaultBackground = '#1f2a44';
/** The luminance at which black and white have the same contrast. */
const equalContrast = 0.179;

const rgbChannels = (colour: string): number[] => [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
