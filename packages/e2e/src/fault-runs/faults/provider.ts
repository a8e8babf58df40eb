import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { control } from '../run-fault.ts';

const seconds = 6;

const mischief = (name: string, about: string, begin: Sequence, end: Sequence): Fault => ({
  name,
  about: `for ${seconds} seconds ${about}`,
  on: 'plain',
  async apply({ system }) {
    for (const [operation, body] of begin) await control(system.paymentsUrl, operation, body);
    await pause(seconds * 1000);
    for (const [operation, body] of end) await control(system.paymentsUrl, operation, body);
  },
});

type Sequence = readonly (readonly [operation: string, body: object])[];

const plain = { hold: false, dropPercent: 0, duplicates: 0, reverse: false, delayMs: 0, jitterMs: 0 };
const failures = (how: string): Sequence => [['fail-next', { how, method: 'POST', times: 60 }]];

export const provider: readonly Fault[] = [
  mischief(
    'slow provider',
    'the provider takes a second for each response, and its webhooks come 2 to 5 seconds late in any order',
    [
      ['latency', { milliseconds: 1_000 }],
      ['delivery', { ...plain, delayMs: 2_000, jitterMs: 3_000 }],
    ],
    [
      ['latency', { milliseconds: 0 }],
      ['delivery', plain],
    ],
  ),
  mischief(
    'doubled webhooks',
    'each webhook comes four times, the latest first',
    [['delivery', { ...plain, duplicates: 3, reverse: true, delayMs: 500 }]],
    [['delivery', plain]],
  ),
  mischief('lost webhooks', 'every webhook is lost', [['delivery', { ...plain, dropPercent: 100 }]], [['delivery', plain]]),
  mischief(
    'provider fails',
    'up to 60 POSTs get a 500 without an effect, which the provider keeps under their key',
    failures('error_before'),
    [['clear-faults', {}]],
  ),
  mischief(
    'provider fails after',
    'up to 60 POSTs get a 500 although they had their effect, and the provider keeps it',
    failures('error_after'),
    [['clear-faults', {}]],
  ),
  mischief('lost responses', 'up to 60 POSTs have their effect, and their response is lost', failures('lost_after'), [
    ['clear-faults', {}],
  ]),
  {
    name: 'lost replies of mail',
    about: 'the mail server accepts up to 60 mails and hangs up before it says so',
    on: 'plain',
    async apply({ system }) {
      await control(system.messagesUrl, 'fail', { at: 'smtp', how: 'hang_up_after', times: 60 });
      await pause(seconds * 1000);
      await control(system.messagesUrl, 'clear-faults');
    },
  },
];
