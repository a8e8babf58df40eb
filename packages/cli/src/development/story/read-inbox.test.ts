import { expect, test } from '@jest/globals';
import type { InboxMessage } from '../inbox/inbox-messages.ts';
import { type ExpectedMessage, findFault, messagesAbout } from './read-inbox.ts';

const { receipt, accepted, ready, refund, stampTaken } = messagesAbout('S1-7');
const all = [receipt, accepted, ready, refund, stampTaken];
const other: ExpectedMessage = { channel: 'push', title: 'You earned a reward' };

const inboxOf = (...messages: readonly ExpectedMessage[]): InboxMessage[] =>
  messages.map(({ channel, title }, index) => ({ n: index + 1, at: '2026-03-04T05:06:07Z', channel, to: 'ana', title, text: '' }));

test.each<[string, readonly ExpectedMessage[]]>([
  ['in the given order', all],
  ['with another order between channels', [accepted, receipt, ready, stampTaken, refund]],
  ['with other messages between them', [receipt, other, accepted, ready, refund, other, stampTaken]],
])('no fault is found when each expected message arrived once %s', (_, received) => {
  expect(findFault(inboxOf(...received), all)).toBeNull();
});

test.each<[string, readonly ExpectedMessage[], string]>([
  ['is missing', [receipt, accepted, refund, stampTaken], 'no push “Order S1-7 is ready”'],
  [
    'arrives over another channel',
    [{ ...receipt, channel: 'push' }, accepted, ready, refund, stampTaken],
    'no email “Receipt for order S1-7”',
  ],
  ['arrives twice', [receipt, accepted, accepted, ready, refund, stampTaken], 'push “Order S1-7 is accepted” arrived more than once'],
  [
    'arrives after a later one',
    [receipt, ready, accepted, refund, stampTaken],
    'push out of order: Order S1-7 is ready, Order S1-7 is accepted, A stamp was removed',
  ],
])('the fault names a message that %s', (_, received, fault) => {
  expect(findFault(inboxOf(...received), all)).toBe(fault);
});
