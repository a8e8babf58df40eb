export { builtProgram } from '@corner/programs';
export { documentedCommands, runCommands, withDays } from './documented-commands.ts';
export { type AboutEvent, envelopeOf } from './envelope-of.ts';
export { erasedEvent, erasureBy, exportedBy, inTurn } from './erasures.ts';
export { type EventStream, openEventStream, type StreamedEvent } from './event-stream.ts';
export { type FixedClock, fixedClock } from './fixed-clock.ts';
export { historiesOf, modelSeeds } from './model-seeds.ts';
export { type Answer, answers, type Outsider, startOutsider } from './outsider.ts';
export { refuseWholeScans } from './plans/refuse-whole-scans.ts';
export { type PolledRead, type Polls, pollsOf, tablesWithoutNotes } from './polls.ts';
export {
  type StartTestServiceOptions,
  startTestService,
  type TestableService,
  type TestOverrides,
  type TestService,
} from './start-test-service.ts';
export { type TcpProxy, type TcpProxyOptions, tcpProxyTo } from './tcp-proxy.ts';
export { makeStreams, type TestBroker, testBroker } from './test-broker.ts';
export {
  type EmptyDatabase,
  emptyDatabase,
  type TestDatabase,
  type TestDatabaseForAll,
  testDatabase,
  testDatabaseForAll,
} from './test-database.ts';
export { type TestIssuer, type TestIssuerOptions, type TokenClaims, testIssuer } from './test-issuer.ts';
export { type TestFolder, testFolder } from './test-run.ts';
export { canMount, fillerIn, mountSmallDisk, otherNode, type SmallDisk } from './this-machine.ts';
export { type UntilOptions, until } from './until.ts';
export { feedPage, webhookFeed } from './webhook-feed.ts';
