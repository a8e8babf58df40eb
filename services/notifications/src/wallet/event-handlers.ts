import { type EventHandler, type EventHandlers, on, onAll } from '@corner/chassis';
import {
  directoryProgramme,
  directoryStore,
  multiStampConfirmed,
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
import type { VoucherState } from './rules.ts';
import { upsertProgrammeDesign, upsertStoreDesign } from './tables/projections.ts';
import { cardOf, raiseForChanges, updateCardPasses, updateVoucherPass } from './transactions.ts';

const ofDirectory: EventHandlers<Context> = {
  applyStoreDesign: on(directoryStore, async ({ data }, tx, { passSignal }: Context) =>
    raiseForChanges(tx, await upsertStoreDesign(tx, data), passSignal),
  ),
  applyProgrammeDesign: on(directoryProgramme, async ({ data }, tx, { passSignal }: Context) =>
    raiseForChanges(tx, await upsertProgrammeDesign(tx, data), passSignal),
  ),
};

const ofLoyalty: EventHandlers<Context> = {
  updatePassWhenStampApproved: onAll(stampApproved, cardOf, updateCardPasses),
  updatePassWhenStampUndone: onAll(stampUndone, cardOf, updateCardPasses),
  updatePassWhenStampReversed: onAll(stampReversed, cardOf, updateCardPasses),
  // An event whose sequence does not count the card's own changes cannot be ordered among them and is skipped.
  updatePassWhenMultiStampConfirmed: onAll(
    multiStampConfirmed,
    (event) => (event.subject === `${event.data.store_id}:${event.data.customer_id}` ? cardOf(event) : null),
    updateCardPasses,
  ),
  updatePassWhenVoucherMinted: toVoucher(voucherMinted, 'active'),
  updatePassWhenVoucherRestored: toVoucher(voucherRestored, 'active'),
  updatePassWhenVoucherRedeemed: toVoucher(voucherRedeemed, 'redeemed'),
  updatePassWhenVoucherVoided: toVoucher(voucherVoided, 'voided'),
  updatePassWhenVoucherExpired: toVoucher(voucherExpired, 'expired'),
};

export const eventHandlers: EventHandlers<Context> = { ...ofDirectory, ...ofLoyalty };

function toVoucher(event: typeof voucherMinted, state: VoucherState): EventHandler<Context> {
  return on(event, (arrived, tx, { passSignal }: Context) => updateVoucherPass(tx, arrived, state, passSignal));
}
