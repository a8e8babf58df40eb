import { type EventHandlers, type Jobs, job, type Webhook } from '@corner/chassis';
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
import { wearProgramme, wearStore } from './event-handlers/keep-design.ts';
import { keepStampsWhen, keepStampsWhenSeveralConfirmed } from './event-handlers/keep-stamps.ts';
import { keepVoucherWhen } from './event-handlers/keep-voucher.ts';
import { tellWallets } from './jobs/push-pass-updates.ts';
import { downloadPass } from './webhooks/download-pass.ts';
import { listChangedPasses, sendPass } from './webhooks/list-changed-passes.ts';
import { takeDeviceLog } from './webhooks/receive-device-log.ts';
import { registerDeviceForPass, unregisterDeviceForPass } from './webhooks/register-device.ts';
import { showLogo } from './webhooks/serve-logo.ts';

/** What passes do when something has happened. */
export const walletEventHandlers: EventHandlers<Context> = {
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
export const walletJobs: Jobs<Context> = { tellWallets: job(1, tellWallets) };
