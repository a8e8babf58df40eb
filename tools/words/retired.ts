/**
 * Words that this code once used as its own language, with what to say instead: see docs/glossary.md. They are kept out of identifiers,
 * comments, strings and documents.
 */
const words = {
  tell: 'publish (an event), send or notify (a person)',
  tells: 'publishes, sends or notifies',
  told: 'published, sent, notified or counted',
  telling: 'publishing',
  tellings: 'events published',
  teller: 'producer',
  tellers: 'producers',
  hear: 'consume, receive',
  hears: 'consumes, receives',
  heard: 'consumed, processed, received',
  errand: 'message (what is sent) or delivery (one attempt)',
  errands: 'messages or deliveries',
  deed: 'operation, action or step',
  deeds: 'operations, actions or steps',
  door: 'entry point, endpoint',
  doors: 'entry points, endpoints',
  corridor: 'pipeline',
  whoever: 'the caller, another replica',
  nobody: 'no one, no caller, no customer',
  nobodys: 'no one’s',
  somebody: 'a caller, a customer, another person',
  lane: 'partition',
  lanes: 'partitions',
  amnesia: 'rewind',
  bury: 'dead-letter',
  buried: 'dead-lettered',
  sought: 'read, requested',
  wish: 'preference, request',
  wishes: 'preferences, requests',
  wished: 'requested, preferred',
  wear: 'apply',
  wears: 'applies',
  journey: 'end-to-end test',
  journeys: 'end-to-end tests',
  cable: 'TCP proxy',
  abreast: 'concurrently',
  dealing: 'interaction',
  dealings: 'interactions',
  thither: 'there',
  hitherto: 'so far',
};

export const retired: ReadonlyMap<string, string> = new Map(Object.entries(words));

/** Files that keep an old word for a reason: the list itself names the words. */
export const exempt: readonly RegExp[] = [
  /^tools\/words\//,
  /^docs\/glossary\.md$/,
  // The Unix user of that name.
  /^packages\/sandbox\/src\/servers\/postgres-(?:user|programs)\.ts$/,
];
