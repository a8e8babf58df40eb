export { connectOptions, loginFault, userOf } from './connect-options.ts';
export { type DeadLetterFilter, type FoundDeadLetter, findDeadLetters } from './operator/find-dead-letters.ts';
export { type GatheredFacts, gatherFacts, type ServiceFact } from './operator/gather-facts.ts';
export type { Platform } from './operator/platform.ts';
export { type VerifiedEvents, verifyEvents } from './operator/verify-events.ts';
export { addressesOf, type NatsLogin, natsLogin, natsSettings, withoutPasswords } from './settings.ts';
export { directoryUser, inboxOf, type NatsUser, natsUsers, usersConfiguration } from './users.ts';
