import { type Reactions, type Schedules, schedule, type Webhook } from '@corner/chassis';
import {
  stampApproved,
  stampReversed,
  stampUndone,
  voucherExpired,
  voucherMinted,
  voucherRedeemed,
  voucherRestored,
  voucherVoided,
} from '@corner/contracts';
import type { Context } from '../context.ts';
import { wearProgramme, wearStore } from './reactions/keep-design.ts';
import { keepStampsWhen, keepStampsWhenSeveralConfirmed } from './reactions/keep-stamps.ts';
import { keepVoucherWhen } from './reactions/keep-voucher.ts';
import { tellWallets } from './schedules/tell-wallets.ts';
import { registerDeviceForPass, unregisterDeviceForPass } from './webhooks/devices.ts';
import { downloadPass } from './webhooks/download.ts';
import { takeDeviceLog } from './webhooks/log.ts';
import { showLogo } from './webhooks/logo.ts';
import { listChangedPasses, sendPass } from './webhooks/passes.ts';

/** What passes do when something has happened. */
export const walletReactions: Reactions<Context> = {
  wearStore,
  wearProgramme,
  keepStampsWhenApproved: keepStampsWhen(stampApproved),
  keepStampsWhenUndone: keepStampsWhen(stampUndone),
  keepStampsWhenReversed: keepStampsWhen(stampReversed),
  keepStampsWhenSeveralConfirmed,
  keepVoucherWhenMinted: keepVoucherWhen(voucherMinted, 'active'),
  keepVoucherWhenRestored: keepVoucherWhen(voucherRestored, 'active'),
  keepVoucherWhenRedeemed: keepVoucherWhen(voucherRedeemed, 'redeemed'),
  keepVoucherWhenVoided: keepVoucherWhen(voucherVoided, 'voided'),
  keepVoucherWhenExpired: keepVoucherWhen(voucherExpired, 'expired'),
};

/** Apple’s web service, and what phones and Google load. */
export const walletWebhooks: readonly Webhook<Context>[] = [
  registerDeviceForPass,
  unregisterDeviceForPass,
  listChangedPasses,
  sendPass,
  takeDeviceLog,
  downloadPass,
  showLogo,
];

/** What passes do because time has passed. */
export const walletSchedules: Schedules<Context> = { tellWallets: schedule(1, tellWallets) };
