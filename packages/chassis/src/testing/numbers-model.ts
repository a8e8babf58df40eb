import type { Incarnation } from '@corner/contracts';
import type { Place } from '../inbox/delivery.ts';
import { commonEnd, placeIn } from '../inbox/numbers.ts';

/**
 * A model of how numbered events get from a producer's database to a consumer's, small enough to visit every state of it. Its broker is the
 * weakest possible: it delivers any message that was ever published, at any time, in any order, any number of times, or never. That covers
 * a lost tail, a hole, an empty or older stream, a cursor at any place, redelivery, and a former leader that publishes late. The feed's own
 * functions interpret the incarnations for the consumer. `drawn` counts incarnations, whose random ids never repeat. `feed` is the memory
 * of the replica with the consumer lease; `strays` are events that a former holder still has in progress, which only a mistake lets it
 * finish. `commits` and `faults` may still happen.
 */
export interface State {
  readonly producer: Producer;
  readonly producerBackup: Producer | null;
  readonly leading: boolean;
  readonly drawn: number;
  readonly published: readonly Message[];
  readonly consumer: Consumer;
  readonly consumerBackup: Consumer | null;
  readonly feed: { readonly expected: number; readonly inProgress: readonly Numbered[] };
  readonly strays: readonly Numbered[];
  readonly commits: number;
  readonly faults: readonly Fault[];
}

interface Producer {
  readonly outbox: readonly string[];
  /** Batches of events in the order of their numbers. The first event has number 1. */
  readonly recorded: readonly (readonly string[])[];
  readonly incarnations: readonly Incarnation[];
}

interface Consumer {
  /** In the order of the effects. A number is null when it was cut off: that marks the event as unknown to the producer. */
  readonly inbox: readonly Numbered[];
  readonly incarnations: readonly Incarnation[];
  readonly complete: number;
}

interface Numbered {
  readonly event: string;
  readonly number: number | null;
}

interface Message extends Place {
  readonly event: string;
}

export type Fault = 'leadership ends' | 'consumer restarts' | 'producer is restored' | 'consumer is restored';

/** A mistake planted in the model, to prove that its test notices it. */
export type Mistake =
  | 'passes over a gap'
  | 'does not ask for the end'
  | 'draws an incarnation again after a restore'
  | 'completes events in progress'
  | 'cuts nothing off'
  | 'cuts off while events are in progress'
  | 'adopts incarnations before it cuts off'
  | 'cuts off by the list of the producer alone'
  | 'cuts off nothing above the expected number'
  | 'follows an incarnation without asking'
  | 'processes messages with void numbers'
  | 'publishes before it records'
  | 'knows events by number only'
  | 'lets a former lease holder go on';

export interface Step {
  readonly name: string;
  readonly next: State;
  /** True when the step needs no fault, no message and no new event. Such steps alone must make the consumer complete. */
  readonly heals: boolean;
}

export const startWith = (commits: number, faults: readonly Fault[]): State => ({
  producer: { outbox: [], recorded: [], incarnations: [{ id: '0', begins: 1 }] },
  producerBackup: null,
  leading: true,
  drawn: 1,
  published: [],
  consumer: { inbox: [], incarnations: [], complete: 0 },
  consumerBackup: null,
  feed: { expected: 1, inProgress: [] },
  strays: [],
  commits,
  faults,
});

export const stepsOf = (state: State, mistake?: Mistake): Step[] =>
  [
    ...producerSteps(state, mistake),
    ...state.published.map((message) => step(`${describe(message)} is delivered`, deliver(state, message, mistake))),
    ...consumerSteps(state, mistake),
    ...[...new Set(state.faults)].flatMap((fault) => faultSteps(state, fault, mistake)),
  ].flatMap((one) => (one.next === state ? [] : [one, ...withBackup(state, one)]));

const step = (name: string, next: State, heals = false): Step => ({ name, next, heals });
const describe = ({ incarnation, number, event }: Message): string => `${event} as number ${number} of incarnation ${incarnation.id}`;

function withBackup({ producer, consumer }: State, { name, next }: Step): Step[] {
  const needs = (fault: Fault, backup: object | null) => next.faults.includes(fault) && backup === null;
  const steps: Step[] = [];
  if (next.producer !== producer && needs('producer is restored', next.producerBackup))
    steps.push(step(`${name}, after a backup of the producer`, { ...next, producerBackup: producer }));
  if (next.consumer !== consumer && needs('consumer is restored', next.consumerBackup))
    steps.push(step(`${name}, after a backup of the consumer`, { ...next, consumerBackup: consumer }));
  return steps;
}

/** In the order of their ids. The two events of aggregate a commit in this order; b1 commits at any time. */
const events = ['a1', 'b1', 'a2'];
const byId = (a: string, b: string): number => events.indexOf(a.slice(0, 2)) - events.indexOf(b.slice(0, 2));

function producerSteps(state: State, mistake?: Mistake): Step[] {
  const { producer, leading, drawn, published, commits } = state;
  const { outbox, incarnations } = producer;
  const recorded = producer.recorded.flat();
  const has = (event: string) => outbox.some((one) => one.startsWith(event));
  // A commit repeated after a restore is another event, so its name ends with the number of the commit.
  const steps = (commits > 0 ? events : [])
    .filter((event) => !has(event) && (event !== 'a2' || has('a1')))
    .map((event) => ({ ...producer, outbox: [...outbox, `${event}#${commits}`].sort(byId) }))
    .map((next) => step(`${next.outbox} are committed`, { ...state, producer: next, commits: commits - 1 }));
  const newest = incarnations.at(-1);
  if (!leading || !newest) {
    const id = String(mistake === 'draws an incarnation again after a restore' ? incarnations.length : drawn);
    const led = { ...producer, incarnations: [...incarnations, { id, begins: recorded.length + 1 }] };
    const next = { ...state, producer: led, leading: true, drawn: drawn + 1 };
    return [...steps, step(`incarnation ${id} begins at ${recorded.length + 1}`, next, true)];
  }
  const batch = outbox.filter((event) => !recorded.includes(event));
  if (batch.length === 0) return steps;
  const messages = batch.map((event, place) => ({ incarnation: newest, event, number: recorded.length + 1 + place }));
  const all = new Map([...published, ...messages].map((message) => [describe(message), message]));
  const sent = { ...state, published: [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, message]) => message) };
  if (mistake === 'publishes before it records' && all.size > published.length) steps.push(step(`${batch} are published`, sent));
  return [...steps, step(`${batch} are recorded`, { ...sent, producer: { ...producer, recorded: [...producer.recorded, batch] } }, true)];
}

function deliver(state: State, message: Message, mistake?: Mistake): State {
  const { consumer, feed } = state;
  const { incarnation, event, number } = message;
  const place = placeIn(consumer.incarnations, message);
  if (place === 'unknown') {
    const follows = mistake === 'follows an incarnation without asking';
    if (!follows || incarnation.begins !== feed.expected) return ask(state, mistake);
    return deliver({ ...state, consumer: { ...consumer, incarnations: [...consumer.incarnations, incarnation] } }, message, mistake);
  }
  if (place === 'forgotten') return mistake === 'processes messages with void numbers' ? passOn(state, { event, number: null }) : state;
  if (number < feed.expected) return state;
  return number === feed.expected || mistake === 'passes over a gap' ? passOn(state, { event, number }) : ask(state, mistake);
}

function ask(state: State, mistake?: Mistake): State {
  const { producer, consumer, feed } = state;
  const { incarnations } = producer;
  if (consumer.incarnations.at(-1)?.id === incarnations.at(-1)?.id) {
    const event = producer.recorded.flat()[feed.expected - 1];
    return event === undefined ? state : passOn(state, { event, number: feed.expected });
  }
  const shared = consumer.incarnations.filter(({ id }) => incarnations.some((other) => other.id === id));
  const end = commonEnd(mistake === 'cuts off by the list of the producer alone' ? shared : consumer.incarnations, incarnations);
  const isAfter = ({ number }: Numbered) => number !== null && number > end;
  const isAhead = consumer.inbox.some(isAfter) && mistake !== 'cuts off nothing above the expected number';
  const adopted = { ...state, consumer: { ...consumer, incarnations } };
  if ((feed.expected <= end + 1 && !isAhead) || mistake === 'cuts nothing off') return adopted;
  if (feed.inProgress.length > 0 && mistake === 'adopts incarnations before it cuts off') return adopted;
  if (feed.inProgress.length > 0 && mistake !== 'cuts off while events are in progress') return state;
  const inbox = consumer.inbox.map((row) => (isAfter(row) ? { ...row, number: null } : row));
  const next = { inbox, incarnations, complete: Math.min(consumer.complete, end) };
  return { ...state, consumer: next, feed: { ...feed, expected: Math.min(feed.expected, end + 1) } };
}

const passOn = (state: State, one: Numbered): State => ({
  ...state,
  feed: { expected: one.number === null ? state.feed.expected : one.number + 1, inProgress: [...state.feed.inProgress, one] },
});

function consumerSteps(state: State, mistake?: Mistake): Step[] {
  const { consumer, feed, strays } = state;
  const steps = mistake === 'does not ask for the end' ? [] : [step('the consumer asks the producer', ask(state, mistake), true)];
  for (const one of nextOf(feed.inProgress)) {
    const inProgress = feed.inProgress.filter((other) => other !== one);
    const next = { ...state, consumer: processed(consumer, one, mistake), feed: { ...feed, inProgress } };
    steps.push(step(`${one.event} is processed as number ${one.number}`, next, true));
  }
  for (const one of nextOf(strays)) {
    const next = { ...state, consumer: processed(consumer, one, mistake), strays: strays.filter((other) => other !== one) };
    steps.push(step(`the former lease holder processes ${one.event} as number ${one.number}`, next));
  }
  let complete = mistake === 'completes events in progress' ? feed.expected - 1 : consumer.complete;
  while (consumer.inbox.some(({ number }) => number === complete + 1)) complete += 1;
  if (complete > consumer.complete) steps.push(step(`complete up to ${complete}`, { ...state, consumer: { ...consumer, complete } }, true));
  return steps;
}

/** Returns the first waiting event of each aggregate: those of two aggregates may overtake each other. */
const nextOf = (waiting: readonly Numbered[]): Numbered[] =>
  waiting.filter(({ event }, place) => waiting.findIndex((other) => other.event[0] === event[0]) === place);

function processed({ inbox, ...rest }: Consumer, { event, number }: Numbered, mistake?: Mistake): Consumer {
  const isKnown = inbox.some((row) => (mistake === 'knows events by number only' ? row.number === number : row.event === event));
  if (!isKnown) return { ...rest, inbox: [...inbox, { event, number }] };
  return { ...rest, inbox: inbox.map((row) => (row.event === event ? { event, number: number ?? row.number } : row)) };
}

function faultSteps(state: State, fault: Fault, mistake?: Mistake): Step[] {
  const { producer, producerBackup, consumer, consumerBackup, feed, leading } = state;
  const after = { ...state, faults: state.faults.toSpliced(state.faults.indexOf(fault), 1) };
  const restarted = ({ complete }: Consumer) => ({ expected: complete + 1, inProgress: [] });
  switch (fault) {
    case 'leadership ends': {
      // A crash of Postgres may lose the newest records, since the relay does not wait for the disk; but it waits with a new incarnation.
      const least = (producer.incarnations.at(-1)?.begins ?? 1) - 1;
      return [...producer.recorded, []]
        .map((_, count) => producer.recorded.slice(0, count))
        .filter((recorded) => leading && recorded.flat().length >= least)
        .map((recorded) => ({ ...after, leading: false, producer: { ...producer, recorded } }))
        .map((next) => step(`leadership ends with ${next.producer.recorded.length} batches recorded`, next));
    }
    case 'consumer restarts': {
      // A new lease holder first ends the transactions of the former one.
      const strays = mistake === 'lets a former lease holder go on' ? feed.inProgress : [];
      return [step(fault, { ...after, feed: restarted(consumer), strays })];
    }
    case 'producer is restored':
      return producerBackup ? [step(fault, { ...after, producer: producerBackup, producerBackup: null, leading: false })] : [];
    case 'consumer is restored':
      if (!consumerBackup) return [];
      return [step(fault, { ...after, consumer: consumerBackup, consumerBackup: null, feed: restarted(consumerBackup), strays: [] })];
  }
}
