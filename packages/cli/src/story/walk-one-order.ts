import {
  advanceFulfilment,
  awaitStamps,
  confirmOrder,
  pay,
  placeOrder,
  readLoyaltyState,
  refundOrder,
  stampsWorth,
} from './order-steps.ts';
import type { StorySetting } from './prepare-story.ts';
import { awaitMessages, type ExpectedMessage, messagesAbout, readInbox, wantsStampMessages } from './read-inbox.ts';
import type { Step } from './take-step.ts';

/** The name of the story's last step: the messages, when they can be read. */
export const lastStepOf = ({ messages }: StorySetting): string => (messages === null ? 'reversal' : 'messages');

/**
 * Walks one order through all its steps: placed, paid, confirmed, stamp earned, prepared, ready, collected, refunded, stamp
 * taken back. Where messages can be read, each is awaited before the next step. Yields each step, and ends after the first
 * that fails.
 */
export async function* walkOneOrder(setting: StorySetting): AsyncGenerator<Step> {
  const inbox = setting.messages === null ? null : { ...setting, messages: setting.messages };

  const before = await readLoyaltyState(setting, 'before');
  yield before.step;
  if (!before.value) return;
  const stampsBefore = stampsWorth(before.value);

  const inboxBefore = inbox && (await readInbox(inbox, 'inbox'));
  if (inboxBefore) yield inboxBefore.step;
  if (inboxBefore?.value === null) return;
  const receive = async (name: string, expected: readonly ExpectedMessage[]) =>
    inbox && (await awaitMessages(inbox, { name, after: inboxBefore?.value ?? 0, expected, showAll: name === lastStepOf(setting) }));

  const placed = await placeOrder(setting);
  yield placed.step;
  if (!placed.value?.payment_intent_id) return;
  const { order_id, order_number, payment_intent_id } = placed.value;
  const { receipt, accepted, ready, refund, stampTaken } = messagesAbout(order_number);

  const paid = await pay(setting, payment_intent_id);
  yield paid.step;
  if (!paid.value) return;

  const confirmed = await confirmOrder(setting, payment_intent_id);
  yield confirmed.step;
  if (!confirmed.value) return;
  const receiptReceived = await receive('notified', [receipt, accepted]);
  if (receiptReceived) yield receiptReceived.step;
  if (receiptReceived?.value === null) return;

  const stamped = await awaitStamps(setting, 'stamps', stampsBefore + 1);
  yield stamped.step;
  if (!stamped.value) return;

  for (const status of ['preparing', 'ready', 'collected'] as const) {
    const advanced = await advanceFulfilment(setting, order_id, status);
    yield advanced.step;
    if (!advanced.value) return;
    if (status !== 'ready') continue;
    const readyReceived = await receive('notified', [accepted, ready]);
    if (readyReceived) yield readyReceived.step;
    if (readyReceived?.value === null) return;
  }

  const refunded = await refundOrder(setting, order_id);
  yield refunded.step;
  if (!refunded.value) return;

  const reversed = await awaitStamps(setting, 'reversal', stampsBefore);
  yield reversed.step;
  if (!inbox || !reversed.value) return;

  const all = [receipt, accepted, ready, refund, ...((await wantsStampMessages(setting)) ? [stampTaken] : [])];
  const allReceived = await receive('messages', all);
  if (allReceived) yield allReceived.step;
}
