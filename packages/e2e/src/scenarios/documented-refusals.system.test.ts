import { operations } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compareWithExamples, withoutExample } from '../testing/recorded-examples.ts';
import { refuseBookings } from '../testing/refusals/booking-refusals.ts';
import { refuseCampaigns } from '../testing/refusals/campaign-refusals.ts';
import { refuseAnywhere, refuseUnknownIds, refuseWithoutScope } from '../testing/refusals/common-refusals.ts';
import { refuseAtCounter } from '../testing/refusals/counter-refusals.ts';
import {
  changeMemberships,
  endLate,
  openAccount,
  registerOddAccounts,
  restrictAccount,
  runJobsNow,
  tapAfterSale,
  untilPublished,
} from '../testing/refusals/later-events.ts';
import { refuseAfterChange, refuseMoreADay } from '../testing/refusals/limit-refusals.ts';
import { refuseCodes, refuseMultiStamps, refuseOwnCards, refuseReviews, refuseVouchers } from '../testing/refusals/loyalty-refusals.ts';
import { refuseByState, refuseOrders, refuseRefunds, refuseSlots, refuseUnpaidOrders } from '../testing/refusals/order-refusals.ts';
import { refuseDisputed, refuseMismatches, refuseOtherMode, refuseWithoutProvider } from '../testing/refusals/payment-refusals.ts';
import { refuseInQueue } from '../testing/refusals/queue-refusals.ts';
import { type RefusalRun, startRefusalRun } from '../testing/refusals/refusal-run.ts';
import { refuseWebhooks } from '../testing/refusals/webhook-refusals.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let run: RefusalRun;

beforeAll(async () => {
  environment = await startTestEnvironment();
  run = await startRefusalRun(environment);
  await registerOddAccounts(run);
  await run.applyOddStores('first');
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

// In this order: a group may use the records of the groups before it.
test.each(
  Object.entries({
    'what every operation may refuse': refuseAnywhere,
    'a record that does not exist': refuseUnknownIds,
    'a token without the scope': refuseWithoutScope,
    'an order that cannot be placed': refuseOrders,
    'a slot that cannot be had': refuseSlots,
    'a sale at the counter': refuseAtCounter,
    'an order that is not paid': refuseUnpaidOrders,
    'an order in another state': refuseByState,
    'an order that cannot be refunded again': refuseRefunds,
    'a payment that is not the order’s': refuseMismatches,
    'an order of the provider’s other mode': refuseOtherMode,
    'a payment provider that does not answer': refuseWithoutProvider,
    'a payment that is disputed': refuseDisputed,
    'codes and taps': refuseCodes,
    'several stamps at once': refuseMultiStamps,
    'stamps that were reviewed': refuseReviews,
    'what staff give to themselves': refuseOwnCards,
    'vouchers that cannot be used': refuseVouchers,
    'the limit of a day': refuseMoreADay,
    'settings that have changed': refuseAfterChange,
    'the queue': refuseInQueue,
    'a booking': refuseBookings,
    'the webhooks of a store': refuseWebhooks,
    'a campaign that is over': refuseCampaigns,
    'an account that is restricted': restrictAccount,
  }),
)('%s', async (_, provoke) => {
  await provoke(run);
});

test('each refusal is in openapi.json as it was returned', () => {
  expect(compareWithExamples(run.seen)).toEqual([]);
});

test('every problem of every operation but the directory’s, which have a system of their own, was provoked here', () => {
  const pairs = operations
    .filter(({ service }) => service !== 'directory')
    .flatMap(({ name, problems }) => problems.map((code) => `${name} ${code}`));
  const provoked = new Set(
    Object.entries(run.seen).flatMap(([name, { problems = {} }]) => Object.keys(problems).map((code) => `${name} ${code}`)),
  );
  expect(pairs.filter((pair) => !provoked.has(pair))).toEqual([]);
});

const events = [
  'order.cancelled',
  'order.expired',
  'order.refund_failed',
  'order.status_changed',
  'order.uncollected',
  'payment.disputed',
  'store.account_changed',
  'store.account_connected',
  'store.orders_refused',
  'queue.claimed',
  'stamp.reversed',
  'voucher.restored',
  'voucher.voided',
  'voucher.expired',
  'voucher.expiring',
  'tap.presented',
  'order.customer_bound',
  'membership.begun',
  'membership.renewed',
  'membership.ending',
  'membership.ended',
];

test('the events that come with time, with a refund or from the provider have an example in asyncapi.json', async () => {
  await endLate(run);
  await changeMemberships(run);
  await tapAfterSale(run);
  await openAccount(run);
  await runJobsNow(run);
  expect(withoutExample(await untilPublished(run, events))).toEqual([]);
});
