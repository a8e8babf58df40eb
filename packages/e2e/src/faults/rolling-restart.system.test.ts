import { randomUUID } from 'node:crypto';
import { requiredServices } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { drain, killAtOnce } from '../fault-runs/faults/replicas.ts';
import { findBrokenPromises } from '../fault-runs/find-losses.ts';
import { type Stage, startStage } from '../fault-runs/stage.ts';
import { guestOf, type Visit, visit, visitKinds } from '../fault-runs/visit.ts';
import { checkAtRest } from '../testing/checker.ts';
import { randomFrom } from '../testing/random.ts';
import { recordAttempt } from '../testing/recording-client.ts';
import { onDatabase } from '../testing/settled.ts';

/**
 * Calls repeatedly from this many clients while `work` runs, each after its last call ended, so a slow machine is not overloaded. A short
 * form of `npm run faults -- --only "rolling restart"`, which has 20 orders a second and waits for every mail.
 */
async function callWhile(clients: number, call: (turn: number) => Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
  let over = false;
  const calling = Array.from({ length: clients }, async (_, client) => {
    for (let turn = client; !over; turn += 1) await call(turn);
  });
  await work().finally(() => {
    over = true;
  });
  await Promise.all(calling);
}

/**
 * A guest takes a place and leaves it: two writes without an Idempotency-Key. A gateway may not repeat them, so they fail unless it notices
 * that a replica drains before its connections end.
 */
async function callWithoutKey({ system, history, directory }: Stage, turn: number): Promise<void> {
  const { gateway } = system.replicas;
  const post = (operation: string, body: object) => {
    const url = `${gateway[turn % gateway.length]?.url}/api/v1/queue/${operation}`;
    const headers = { 'content-type': 'application/json' };
    return recordAttempt(history, { operation }, new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
  };
  const { body } = await post('join', { store_id: directory.barber, guest_name: guestOf(randomUUID()) });
  await post('leave', { entry_id: body.entry_id });
}

test('while each service is restarted by SIGTERM and by kill -9, no request fails, and nothing is lost or done twice', async () => {
  await using stage = await startStage('replicas');
  const random = randomFrom(1);
  const visits: Visit[] = [];
  const comeIn = async (turn: number) => visits.push(await visit(visitKinds[turn % visitKinds.length] ?? 'party', stage.visitor(random)));
  const replicas = (nth: number) => requiredServices.flatMap((service) => stage.system.replicas[service][nth] ?? []);

  await callWhile(4, comeIn, async () => {
    const draining = () => Promise.all(replicas(0).map((replica) => drain(replica).then(() => replica.restart())));
    await callWhile(4, (turn) => callWithoutKey(stage, turn), draining);
    for (const replica of replicas(1)) {
      await killAtOnce(replica);
      await replica.restart();
    }
  });

  expect(stage.history.calls.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  expect(visits.filter(({ outcome, failed }) => outcome !== 'accepted' || failed.length > 0)).toEqual([]);
  expect(await checkAtRest(stage.system, stage.history)).toEqual([]);
  await onDatabase(stage, async (client) => expect(await findBrokenPromises(client, visits)).toEqual([]));
});
