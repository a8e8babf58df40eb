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
import type { Step, StepResult } from './take-step.ts';

export const lastStepOf = ({ messages }: StorySetting): string => (messages === null ? 'reversal' : 'messages');

export async function* walkOneOrder(setting: StorySetting): AsyncGenerator<Step> {
  try {
    yield* allSteps(setting);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  }
}

class StepFailed extends Error {}

async function* take<T>(taken: Promise<StepResult<T>>): AsyncGenerator<Step, T> {
  const { step, value } = await taken;
  yield step;
  if (value === null || value === undefined) throw new StepFailed(step.name);
  return value;
}

async function* allSteps(setting: StorySetting): AsyncGenerator<Step> {
  const inbox = setting.messages === null ? null : { ...setting, messages: setting.messages };
  const stampsBefore = stampsWorth(yield* take(readLoyaltyState(setting, 'before')));
  const messagesBefore = inbox ? yield* take(readInbox(inbox, 'inbox')) : 0;
  const receive = async function* (name: string, expected: readonly ExpectedMessage[]): AsyncGenerator<Step> {
    const options = { name, after: messagesBefore, expected, showAll: name === lastStepOf(setting) };
    if (inbox) yield* take(awaitMessages(inbox, options));
  };

  const { order_id, order_number, payment_intent_id } = yield* take(placeOrder(setting));
  if (!payment_intent_id) throw new StepFailed('nothing to pay');
  const { receipt, accepted, ready, refund, stampTaken } = messagesAbout(order_number);
  yield* take(pay(setting, payment_intent_id));
  yield* take(confirmOrder(setting, payment_intent_id));
  yield* receive('notified', [receipt, accepted]);
  yield* take(awaitStamps(setting, 'stamps', stampsBefore + 1));
  yield* take(advanceFulfilment(setting, order_id, 'preparing'));
  yield* take(advanceFulfilment(setting, order_id, 'ready'));
  yield* receive('notified', [accepted, ready]);
  yield* take(advanceFulfilment(setting, order_id, 'collected'));
  yield* take(refundOrder(setting, order_id));
  yield* take(awaitStamps(setting, 'reversal', stampsBefore));
  if (!inbox) return;
  yield* receive('messages', [receipt, accepted, ready, refund, ...((await wantsStampMessages(setting)) ? [stampTaken] : [])]);
}
