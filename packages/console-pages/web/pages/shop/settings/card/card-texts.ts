import { contrast, isColour } from '../../../../logic/colours.ts';
import { money, plural } from '../../../../logic/format.ts';
import type { DirectoryStore } from '../directory-objects.ts';
import type { Programme } from '../offer-objects.ts';

type Reward = Programme['reward'];
export type Branding = DirectoryStore['branding'];

export function rewardText({ kind, value }: Reward, currency: string, itemName: string | undefined, language?: string): string {
  if (kind === 'item') return `${value === 1 ? '' : `${value} × `}${itemName ?? 'an item'} for nothing`;
  return kind === 'percent' ? `${value} % off` : `${money(value, currency, language)} off`;
}

export const rewardOf = (kind: Reward['kind'], items: readonly { readonly id: string }[]): Reward =>
  kind === 'item' ? { kind, value: 1, item_id: items[0]?.id ?? null } : { kind, value: kind === 'percent' ? 10 : 300, item_id: null };

export function earnText({ driver, stamps_per_order, min_spend_pence }: Programme, currency: string, language?: string): string {
  if (driver === 'membership') return 'Members show it; it earns no stamps by itself.';
  if (driver === 'visits') return 'A visit earns a stamp.';
  const least = min_spend_pence > 1 ? ` from ${money(min_spend_pence, currency, language)}` : '';
  return `An order${least} earns ${plural(stamps_per_order, 'stamp')}.`;
}

const ownColours = { text: '#15202b', background: '#ffffff', second: '#0b4a7a' } as const;

export function coloursOf({ primary_color, secondary_color, background_color, background_type }: Branding) {
  const isPlain = background_type !== 'image';
  return {
    text: isColour(primary_color) ? primary_color : ownColours.text,
    background: isPlain && isColour(background_color) ? background_color : ownColours.background,
    second: isColour(secondary_color) ? secondary_color : isColour(primary_color) ? primary_color : ownColours.second,
  };
}

const leastContrast = 4.5;

/** Judges by WCAG contrast. Returns null when the text is readable, and on an image, which is not examined. */
export function readingFault(branding: Branding): string | null {
  const { text, background } = coloursOf(branding);
  const found = contrast(text, background);
  if (branding.background_type === 'image' || found >= leastContrast) return null;
  return `The text is hard to read on this background: its contrast is ${found.toFixed(1)} to 1, and 4.5 is the least.`;
}

/** Parses `04:c0:ff:…`, as apps show it, into 14 hexadecimal digits in upper case; null for any other text. */
export function tagUid(typed: string): string | null {
  const digits = typed.replaceAll(/[\s:-]/g, '').toUpperCase();
  return /^[0-9A-F]{14}$/.test(digits) ? digits : null;
}
