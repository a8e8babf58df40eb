export { type Breach, breaches } from './invariants/breach.ts';
export { consumersOfProducer, unknownEventsNamed } from './invariants/event-numbers.ts';
export { Books, findBreaches } from './invariants/find-breaches.ts';
export { type History, openHistory } from './invariants/history.ts';
