import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { checkAtRest } from './checker.ts';
import { customerState, narrateStory, newWalker } from './story.ts';
import { type SystemUnderTest, startSystemUnderTest } from './testing/running-system.ts';

// FAULT_SEED draws a run's victims; FAULT_STORIES and FAULT_KILLS make it longer, for a night.
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
const stories = Number(process.env.FAULT_STORIES ?? 24);
const kills = Number(process.env.FAULT_KILLS ?? 15);

jest.setTimeout(120_000 + (stories + kills) * 5_000);

let under: SystemUnderTest;

beforeAll(async () => {
  under = await startSystemUnderTest();
});
afterAll(async () => {
  await under[Symbol.asyncDispose]();
});

/** A small generator with a seed (mulberry32): the same seed strikes the same victims in the same order. */
function drawing(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const victims = ['orders', 'loyalty', 'notifications', 'gateway', 'nats'] as const;

/** Kills one victim after another, with a breath between; a fixed number, so that whatever is not done afterwards is stuck. */
async function killAtRandom(draw: () => number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(200 + draw() * 600);
    const name = victims[Math.floor(draw() * victims.length)] ?? 'orders';
    const victim = name === 'nats' ? under.system.nats : under.system.services[name];
    victim.kill();
    await victim.exited;
    await victim.restart();
  }
}

test(`${stories} orders at once end as ever while everything is killed at random (seed ${seed})`, async () => {
  const killing = killAtRandom(drawing(seed));
  const walkers = await Promise.all(Array.from({ length: stories }, () => newWalker(under.system)));
  const told = await Promise.allSettled(walkers.map((walker) => narrateStory(under, walker, 90_000)));
  await killing;
  expect(told.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(await checkAtRest(under.system, under.history, 30_000)).toEqual([]);
  for (const walker of walkers) {
    expect(await customerState(under.system, under.history, walker)).toMatchObject({
      stamp_count: 0,
      total_spent_pence: 0,
      order_count: 1,
    });
  }
});
