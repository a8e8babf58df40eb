import { expect, test } from '@jest/globals';
import type { InboxMessage } from '../inbox-messages.ts';
import { type Expected, faultIn, messagesAbout } from './read-inbox.ts';

const { receipt, accepted, ready, refund, stampTaken } = messagesAbout('S1-7');
const all = [receipt, accepted, ready, refund, stampTaken];
const other: Expected = { channel: 'push', title: 'You earned a reward' };

const arrived = (...came: readonly Expected[]): InboxMessage[] =>
  came.map(({ channel, title }, index) => ({ n: index + 1, at: '2026-03-04T05:06:07Z', channel, to: 'ana', title, text: '' }));

test.each<[string, readonly Expected[]]>([
  ['as they are told', all],
  ['with those of another channel earlier or later', [accepted, receipt, ready, stampTaken, refund]],
  ['with messages about something else between them', [receipt, other, accepted, ready, refund, other, stampTaken]],
])('all is well %s', (_, came) => {
  expect(faultIn(arrived(...came), all)).toBeNull();
});

test.each<[string, readonly Expected[], string]>([
  ['is missing', [receipt, accepted, refund, stampTaken], 'no push “Order S1-7 is ready”'],
  ['comes by another channel', [{ ...receipt, channel: 'push' }, accepted, ready, refund, stampTaken], 'no email “Receipt for order S1-7”'],
  ['comes twice', [receipt, accepted, accepted, ready, refund, stampTaken], 'push “Order S1-7 is accepted” came more than once'],
  [
    'goes backwards',
    [receipt, ready, accepted, refund, stampTaken],
    'push out of order: Order S1-7 is ready, Order S1-7 is accepted, A stamp was taken back',
  ],
])('names the message that %s', (_, came, fault) => {
  expect(faultIn(arrived(...came), all)).toBe(fault);
});
