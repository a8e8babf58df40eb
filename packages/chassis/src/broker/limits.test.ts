import { expect, test } from '@jest/globals';
import { JetStreamApiError } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { findBrokerFault } from './limits.ts';

const answering = async () => true;
const gone = async () => false;
const refusal = (err_code: number, description: string) => new JetStreamApiError({ code: 503, err_code, description });

test.each([
  // NATS 2.9.10 replies to nothing, 2.15.1 only to no publication. 2.10.27 reports the full disk, and recovers without a restart. JetStream
  // is switched off by 2.15.1 in a cluster.
  ['a JetStream that keeps silent', new TimeoutError(), /NATS answers, but its JetStream does not.*free space there, then restart NATS/],
  ['the same under another error', new Error('read', { cause: new TimeoutError() }), /its JetStream does not/],
  ['a full disk', refusal(10077, 'write msgs/1.blk: no space left on device'), /the disk of NATS is full. Free space/],
  ['JetStream switched off', refusal(10076, 'JetStream not enabled'), /JetStream of NATS is off.*free space there, then restart/],
])('%s is named with what to do, and counts as storing nothing', async (_what, error, sentence) => {
  expect(await findBrokerFault(error, answering)).toEqual({ sentence: expect.stringMatching(sentence), storesNothing: true });
});

test('a timeout of a connection that is dead, and a limit, are something else', async () => {
  expect(await findBrokerFault(new TimeoutError(), gone)).toEqual({ sentence: 'timeout', storesNothing: false });
  expect(await findBrokerFault(refusal(10077, 'maximum bytes exceeded'), answering)).toEqual({
    sentence: expect.stringContaining('its own limit of bytes'),
    storesNothing: false,
  });
});
