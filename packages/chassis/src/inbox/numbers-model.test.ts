import { expect, test } from '@jest/globals';
import { type Fault, type Mistake, type State, startWith, stepsOf } from '../testing/numbers-model.ts';

const runs: readonly (readonly [commits: number, faults: readonly Fault[]])[] = [
  [3, ['leadership ends']],
  [3, ['consumer restarts']],
  [3, ['consumer is restored']],
  [3, ['producer is restored']],
  [2, ['leadership ends', 'leadership ends']],
  [2, ['leadership ends', 'consumer restarts']],
  [2, ['leadership ends', 'consumer is restored']],
  [2, ['leadership ends', 'producer is restored']],
  [2, ['producer is restored', 'consumer restarts']],
  [2, ['producer is restored', 'consumer is restored']],
];

test.each(runs)('%i events have their effects once and in order, whatever the broker does: %j', (commits, faults) => {
  expect(explore(startWith(commits, faults))).toBeNull();
});

const mistakes: readonly (readonly [mistake: Mistake, wrong: string, ...faults: Fault[]])[] = [
  ['passes over a gap', 'an event was never processed'],
  ['does not ask for the end', 'an event was never processed'],
  ['draws an incarnation again after a restore', 'a number means another event', 'leadership ends', 'producer is restored'],
  ['completes events in progress', 'a number that is not in the inbox is complete'],
  ['cuts nothing off', 'an event was never processed', 'leadership ends'],
  ['cuts off while events are in progress', 'two events have the same number', 'leadership ends'],
  ['cuts off by the list of the producer alone', 'an event was never processed', 'leadership ends', 'producer is restored'],
  ['cuts off nothing above the expected number', 'two events have the same number', 'leadership ends', 'consumer restarts'],
  ['adopts incarnations before it cuts off', 'an event was never processed', 'leadership ends'],
  ['follows an incarnation without asking', 'a number means another event', 'leadership ends', 'producer is restored'],
  ['processes messages with void numbers', 'effects of an aggregate are out of order', 'leadership ends'],
  ['publishes before it records', 'an event was never processed'],
  ['knows events by number only', 'an event had its effects twice', 'leadership ends'],
  ['lets a former lease holder go on', 'two events have the same number', 'leadership ends', 'consumer restarts'],
];

test.each(mistakes)('the model notices a design that %s: %s', (mistake, wrong, ...faults) => {
  expect(explore(startWith(2, faults), mistake)).toMatchObject({ wrong });
});

/** Returns the violation in a state, or null. `atRest`: no step heals the state any further. */
function wrongIn({ producer, consumer }: State, atRest: boolean): string | null {
  const { inbox, complete } = consumer;
  const known = inbox.filter(({ event }) => producer.outbox.includes(event)).map(({ event }) => event);
  const numbers = inbox.flatMap(({ number }) => number ?? []);
  const recorded = producer.recorded.flat();
  const [first = '', second = ''] = producer.outbox.filter((event) => event.startsWith('a'));
  if (new Set(inbox.map(({ event }) => event)).size < inbox.length) return 'an event had its effects twice';
  if (new Set(numbers).size < numbers.length) return 'two events have the same number';
  if (Array.from({ length: complete }).some((_, index) => !numbers.includes(index + 1)))
    return 'a number that is not in the inbox is complete';
  if (known.includes(second) && !known.slice(0, known.indexOf(second)).includes(first)) return 'effects of an aggregate are out of order';
  if (!atRest) return null;
  if (known.length < producer.outbox.length) return 'an event was never processed';
  if (inbox.some(({ event, number }) => number === null && known.includes(event))) return 'an event is named as unknown and is known';
  if (inbox.some(({ event, number }) => number !== null && recorded[number - 1] !== event)) return 'a number means another event';
  return null;
}

interface Visit {
  readonly state: State;
  readonly from: number;
  readonly name: string;
  readonly healed: number[];
}

/**
 * Visits every state, nearest first. Returns the violation in the first wrong state and the shortest way there; null when all are right.
 */
function explore(start: State, mistake?: Mistake): { readonly wrong: string; readonly trace: readonly string[] } | null {
  const visits: Visit[] = [{ state: start, from: -1, name: 'start', healed: [] }];
  const places = new Map([[JSON.stringify(start), 0]]);
  for (const [place, { state, healed }] of visits.entries()) {
    const steps = stepsOf(state, mistake);
    const wrong = wrongIn(state, !steps.some(({ heals }) => heals));
    if (wrong !== null) return { wrong, trace: traceTo(visits, place) };
    for (const { name, next, heals } of steps) {
      const key = JSON.stringify(next);
      const known = places.get(key) ?? visits.push({ state: next, from: place, name, healed: [] }) - 1;
      places.set(key, known);
      if (heals) healed.push(known);
    }
  }
  const circle = findCircle(visits);
  return circle === null ? null : { wrong: 'healing never ends', trace: traceTo(visits, circle) };
}

function traceTo(visits: readonly Visit[], place: number): string[] {
  const visit = visits[place];
  return visit && visit.from >= 0 ? [...traceTo(visits, visit.from), visit.name] : [];
}

function findCircle(
  visits: readonly Visit[],
  places: Iterable<number> = visits.keys(),
  progress = new Map<number, boolean>(),
): number | null {
  for (const place of places) {
    if (progress.get(place) === true) continue;
    if (progress.has(place)) return place;
    progress.set(place, false);
    const found = findCircle(visits, visits[place]?.healed, progress);
    if (found !== null) return found;
    progress.set(place, true);
  }
  return null;
}
