import type { components } from '@corner/client';

export type OwnCard = components['schemas']['OwnCard'];
type Look = OwnCard['look'];

export function coloursOf({ background_color, primary_color }: Look): { readonly paper: string; readonly ink: string } | undefined {
  const paper = background_color && rgbOf(background_color);
  if (!paper) return undefined;
  const wanted = primary_color && rgbOf(primary_color);
  const ink = wanted && contrast(paper, wanted) >= leastContrast ? wanted : luminance(paper) > middle ? black : white;
  return { paper: cssOf(paper), ink: cssOf(ink) };
}

type Rgb = readonly [number, number, number];
const black: Rgb = [0x1c, 0x1a, 0x17];
const white: Rgb = [0xff, 0xff, 0xff];
/** By WCAG 2. On a ground lighter than `middle`, black is easier to read. */
const leastContrast = 4.5;
const middle = 0.18;

function rgbOf(colour: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{6})$/i.exec(colour.trim())?.[1];
  if (!digits) return undefined;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return [red, green, blue];
}

const cssOf = ([red, green, blue]: Rgb): string => `rgb(${red} ${green} ${blue})`;

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
