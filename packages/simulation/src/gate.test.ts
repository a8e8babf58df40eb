import { expect, test } from '@jest/globals';
import { SimulatedBroker } from './broker/simulated-broker.ts';
import { SimulatedClock } from './clock.ts';
import { Gate, type Life, type Session } from './gate.ts';
import { randomOf } from './random.ts';

const lifeOf = (cut = () => {}): Life => ({ isOver: false, end: null, cut });
const turn = () => new Promise((resolve) => setImmediate(resolve));

function begin(seed: number, sessions: readonly Session[] = []) {
  const clock = new SimulatedClock(new Date('2026-05-12T10:00:00Z'));
  const broker = new SimulatedBroker(clock);
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  return { clock, lines, gate: new Gate({ broker, clock, random: randomOf(seed), sessions: async () => sessions, note, lookMs: 1 }) };
}

async function race(seed: number) {
  const { gate, lines } = begin(seed);
  let running = 0;
  let most = 0;
  const threeTurns = (name: string) => async () => {
    const turns = gate.of(name, lifeOf());
    for (let nth = 0; nth < 3; nth += 1)
      await turns.take(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await turn();
          running -= 1;
        },
        { request_id: String(nth) },
      );
  };
  await gate.carry({ a: threeTurns('a'), b: threeTurns('b'), c: threeTurns('c') });
  return { lines, most };
}

test('one transaction runs at a time, in an order that the seed draws and repeats', async () => {
  const [first, again, other] = [await race(1), await race(1), await race(2)];
  expect(first.most).toBe(1);
  expect(first.lines.toSorted()).toEqual(['a 0', 'a 1', 'a 2', 'b 0', 'b 1', 'b 2', 'c 0', 'c 1', 'c 2']);
  expect(again.lines).toEqual(first.lines);
  expect(other.lines).not.toEqual(first.lines);
});

test('a call that waits for a time goes on once nothing else can', async () => {
  const { gate, clock } = begin(1);
  const waited = async () => {
    await new Promise<void>((resolve) => void clock.after(90_000, resolve));
    return clock.elapsedMs();
  };
  expect(await gate.carry({ waited })).toEqual([{ status: 'fulfilled', value: 90_000 }]);
});

test.each(['before', 'after'] as const)('a program that crashes %s a transaction does nothing any more', async (when) => {
  const { gate } = begin(1);
  const done: string[] = [];
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const life = lifeOf(resolve);
  life.end = { left: 2, when };
  const turns = gate.of('orders', life);
  const work = async () => {
    for (const name of ['first', 'second', 'third']) {
      await turns.take(async () => void done.push(name), {});
      done.push(`${name} is known`);
    }
  };
  await gate.carry({ work: () => Promise.race([over, work()]) });
  expect(done).toEqual(['first', 'first is known', ...(when === 'after' ? ['second'] : [])]);
});

test('a call that waits for what never comes fails at once, and says what it did last', async () => {
  const { gate } = begin(1);
  const turns = gate.of('orders', lifeOf());
  const waits = async () => {
    await turns.take(async () => {}, { request_id: 'waits.1' });
    await new Promise(() => {});
  };
  await expect(gate.carry({ waits })).rejects.toThrow('waits is under way; its last turn: orders waits.1');
});

test('a transaction that waits for a lock that no one will release fails, and says whose it is', async () => {
  const sessions: Session[] = [];
  const { gate } = begin(1, sessions);
  const turns = gate.of('orders', lifeOf());
  const update = async () => {
    sessions.push({ waitsForLock: true, says: '7 active, behind 8: update orders' });
    await new Promise(() => {});
  };
  const locked = () => turns.take(update, { request_id: 'locked.1' });
  await expect(gate.carry({ locked })).rejects.toThrow(/has its turn: orders locked\.1\n +Postgres: 7 active, behind 8/);
});
