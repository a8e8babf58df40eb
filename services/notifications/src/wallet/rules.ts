export type VoucherState = 'active' | 'redeemed' | 'voided' | 'expired';

interface VoucherDetails {
  readonly code: string;
  readonly expires_at: string;
  readonly last_day: string;
}

export interface CompletePass extends PassState {
  /**
   * Null for a stamp card, and for a voucher that can no longer be used. No table here has these details; the last moment is in ISO 8601.
   */
  readonly details: VoucherDetails | null;
}

/**
 * `modifiedAt` is in whole seconds (ISO 8601), and each version of the pass has its own. A pass takes the store's language at its next
 * change. The background is `#rrggbb`; null means the default colour. `goal` is null until an event has named it. `state` is a voucher's; a
 * stamp card is always active.
 */
export interface PassState {
  readonly serial: string;
  readonly kind: 'stamp_card' | 'voucher';
  readonly customerId: string;
  readonly storeId: string;
  readonly voucherId: string | null;
  readonly authToken: string;
  readonly modifiedAt: string;
  readonly storeName: string;
  readonly language: 'en' | 'fr';
  readonly logoUrl: string | null;
  readonly background: string | null;
  readonly stamps: number;
  readonly goal: number | null;
  readonly rewardTitle: string | null;
  readonly activeVouchers: number;
  readonly state: VoucherState;
}

export type WalletName = 'apple' | 'google';

/** A serial number is a UUID. The database rejects anything else with an error. */
export const isSerial = (text: string): boolean => uuid.test(text);

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The headers of a pass's bundle. HTTP forbids a `Last-Modified` in the future, so a version dated ahead of the clock gets the current
 * time, and a device downloads it once more.
 */
export const passHeaders = ({ modifiedAt }: Pick<PassState, 'modifiedAt'>, now: Date): Record<string, string> => ({
  'Content-Type': 'application/vnd.apple.pkpass',
  'Last-Modified': new Date(Math.min(Date.parse(modifiedAt), now.getTime())).toUTCString(),
});

interface Field {
  readonly label: string;
  readonly value: string;
}

/**
 * `rewardsReady` is the number of usable vouchers of the card; null when there are none, and on a voucher. `voucher` is null on a stamp
 * card, and for a voucher that can no longer be used. Staff scan `barcode`: the customer's id on a stamp card; on a voucher, as JSON, the
 * ids that redeemVoucher takes besides the store's.
 */
export interface PassContent {
  readonly title: string;
  readonly status: Field;
  readonly reward: Field;
  readonly rewardsReady: Field | null;
  readonly voucher: { readonly code: Field; readonly lastDay: Field; readonly expiresAt: string } | null;
  readonly barcode: string;
}

export function passContent(pass: CompletePass): PassContent {
  const words = texts[pass.language];
  const reward = { label: words.reward, value: pass.rewardTitle ?? words.aReward };
  if (pass.kind === 'voucher')
    return {
      title: words.voucherOf(pass.storeName),
      status: { label: words.voucher, value: words[pass.state] },
      reward,
      rewardsReady: null,
      voucher: pass.details && {
        code: { label: words.code, value: pass.details.code },
        lastDay: { label: words.validUntil, value: dayOf(pass.details.last_day, words.locale) },
        expiresAt: pass.details.expires_at,
      },
      barcode: JSON.stringify({ voucher_id: pass.voucherId, customer_id: pass.customerId }),
    };
  return {
    title: words.cardOf(pass.storeName),
    status: { label: words.stamps, value: pass.goal === null ? String(pass.stamps) : words.stampsOf(pass.stamps, pass.goal) },
    reward,
    rewardsReady: pass.activeVouchers > 0 ? { label: words.rewardsReady, value: String(pass.activeVouchers) } : null,
    voucher: null,
    barcode: pass.customerId,
  };
}

const texts = {
  en: {
    locale: 'en-GB',
    reward: 'Reward',
    aReward: 'A reward',
    rewardsReady: 'Rewards ready',
    stamps: 'Stamps',
    voucher: 'Voucher',
    code: 'Code',
    validUntil: 'Valid until',
    active: 'Ready to use',
    redeemed: 'Used',
    voided: 'Void',
    expired: 'Expired',
    voucherOf: (store: string) => `${store} voucher`,
    cardOf: (store: string) => `${store} stamp card`,
    stampsOf: (stamps: number, goal: number) => `${stamps} of ${goal}`,
  },
  fr: {
    locale: 'fr-FR',
    reward: 'Récompense',
    aReward: 'Une récompense',
    rewardsReady: 'Récompenses disponibles',
    stamps: 'Tampons',
    voucher: 'Bon',
    code: 'Code',
    validUntil: 'Valable jusqu’au',
    active: 'Prêt à l’emploi',
    redeemed: 'Utilisé',
    voided: 'Annulé',
    expired: 'Expiré',
    voucherOf: (store: string) => `Bon ${store}`,
    cardOf: (store: string) => `Carte de fidélité ${store}`,
    stampsOf: (stamps: number, goal: number) => `${stamps} sur ${goal}`,
  },
} as const;

const dayOf = (day: string, locale: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });

export interface PassColours {
  readonly background: string;
  readonly foreground: string;
}

/**
 * The text is black or white, whichever has more contrast by the background's luminance (WCAG 2): equal at 0.179. Null means the default
 * background.
 */
export function passColours(storeBackground: string | null): PassColours {
  const background = storeBackground ?? defaultBackground;
  const [red, green, blue] = rgbChannels(background).map((channel) => {
    const share = channel / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return { background, foreground: luminance > equalContrast ? '#000000' : '#ffffff' };
}

export const toRgb = (colour: string): string => `rgb(${rgbChannels(colour).join(', ')})`;

const defaultBackground = '#1f2a44';
const equalContrast = 0.179;

const rgbChannels = (colour: string): number[] => [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
