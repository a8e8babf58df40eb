import {
  type AnyRpc,
  callsOf,
  consoleUser,
  consumersOfDirectory,
  directoryStaff,
  everyReplicaSubject,
  findUnknownAccounts,
  type Producer,
  processedBy,
  producersFor,
  rpcSubject,
  type ServiceName,
  services,
  subjectOf,
} from '@corner/contracts';
import { type ConsumerParts, consumersOf } from './streams/consumer-parts.ts';
import { streamNameOf, wantedStreams } from './streams/wanted.ts';

export interface NatsUser {
  readonly name: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The prefix of a user's own addresses for replies. No other user may subscribe to them. */
export const inboxOf = (name: string): string => `_INBOX.${name}`;

/** The service directory, or the upstream that publishes in its place. */
export const directoryUser = 'directory' satisfies ServiceName;

/** The subjects under which the console publishes that a session has ended: the last token is a hash of its id. */
export const sessionEnded = `${consoleUser}.session.ended.*`;
/** The subjects of people's snapshots, the last token being the person's id: with another role, or with a store less. */
export const peopleChanged = subjectOf('directory', directoryStaff, '*');

/** The user that makes the streams, and the consumers of the services. */
export const streamsUser = 'streams';

/**
 * Returns the users of a platform with what the contracts let each do. An operator's subjects hold the operator's name, so no one can act
 * under another. The operator `console` also reads all streams.
 */
export function natsUsers(operators: readonly string[] = [], namespace = '', parts: ConsumerParts = {}): NatsUser[] {
  return [
    ...services.map((service) => serviceUser(service, operators, namespace, parts)),
    ofStreams(namespace, parts),
    ...operators.map((name) => (name === consoleUser ? ofConsole(namespace, parts) : operatorUser(name, namespace))),
  ];
}

/** The RPCs that a service's user calls. */
const calledBy = (service: ServiceName) => [...callsOf(service), ...(service === directoryUser ? callsOfApply : [])];

/** `corner apply` waits until the services have taken in the snapshots, and asks orders for accounts that the provider does not know. */
const callsOfApply: readonly AnyRpc[] = [...consumersOfDirectory.map(processedBy), findUnknownAccounts];
const callersOf = (service: ServiceName) => services.filter((caller) => calledBy(caller).some((rpc) => rpc.service === service));

/** A service looks at streams and at its own consumers. It makes, changes and deletes none: what a stream holds is decided by its subjects. */
function serviceUser(service: ServiceName, operators: readonly string[], namespace: string, parts: ConsumerParts): NatsUser {
  const consumed = producersFor(service);
  const stream = (producer: Producer) => streamNameOf(producer, namespace);
  return {
    name: service,
    publish: [
      `${namespace}${service}.>`,
      ...calledBy(service).flatMap((rpc) => [rpcSubject(rpc), everyReplicaSubject(rpc)].map((subject) => `${namespace}${subject}`)),
      // Replies, to those who call it. `allow_responses` would let it publish whatever it sends to itself with the subject as the reply's.
      ...[...callersOf(service), ...operators].map((caller) => `${inboxOf(caller)}.>`),
      ...[service, ...consumed].flatMap((producer) => ['INFO', 'MSG.GET'].map((step) => `$JS.API.STREAM.${step}.${stream(producer)}`)),
      ...consumed.flatMap((producer) =>
        consumersOf(service, parts).flatMap((name) => [
          ...['INFO', 'MSG.NEXT'].map((step) => `$JS.API.CONSUMER.${step}.${stream(producer)}.${name}`),
          // A delivery's acknowledgement, in the form of every server, and in that of newer ones with a domain and an account before it.
          `$JS.ACK.${stream(producer)}.${name}.>`,
          `$JS.ACK.*.*.${stream(producer)}.${name}.>`,
        ]),
      ),
    ],
    subscribe: [`${inboxOf(service)}.>`, `${namespace}rpc.${service}.>`, `${namespace}operator.*.${service}.>`, `${namespace}${service}.>`],
  };
}

/** It decides what streams hold and where consumers send it, so its password is worth an administrator's. */
const ofStreams = (namespace: string, parts: ConsumerParts): NatsUser => ({
  name: streamsUser,
  publish: wantedStreams(namespace, parts).flatMap(({ name, consumers }) => [
    ...['CREATE', 'UPDATE', 'INFO'].map((step) => `$JS.API.STREAM.${step}.${name}`),
    ...consumers.flatMap((service) =>
      ['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE'].map((step) => `$JS.API.CONSUMER.${step}.${name}.${service}`),
    ),
  ]),
  subscribe: [`${inboxOf(streamsUser)}.>`],
});

/** Before an import it asks orders, as the directory's user does. */
const operatorUser = (name: string, namespace: string): NatsUser => ({
  name,
  publish: [`${namespace}operator.${name}.>`, `${namespace}${rpcSubject(findUnknownAccounts)}`],
  subscribe: [`${inboxOf(name)}.>`],
});

/**
 * It reads every stream by its messages, which takes no consumer, and asks for the state of the services' consumers. It publishes which
 * sessions have ended, and listens for that and for changes of people.
 */
function ofConsole(namespace: string, parts: ConsumerParts): NatsUser {
  const user = operatorUser(consoleUser, namespace);
  const reads = wantedStreams(namespace, parts).flatMap(({ name, consumers }) => [
    ...['INFO', 'MSG.GET'].map((step) => `$JS.API.STREAM.${step}.${name}`),
    ...consumers.map((service) => `$JS.API.CONSUMER.INFO.${name}.${service}`),
  ]);
  return {
    ...user,
    publish: [...user.publish, ...reads, `${namespace}${sessionEnded}`],
    subscribe: [...user.subscribe, ...[sessionEnded, peopleChanged].map((subject) => `${namespace}${subject}`)],
  };
}

/**
 * Returns a server's configuration of users. `passwordOf` returns a quoted password, or `$NAME` of the server's environment. A client has
 * ten seconds to log in: the default of two is too short while a whole machine starts.
 */
export function usersConfiguration(users: readonly NatsUser[], passwordOf: (name: string) => string): string {
  const list = (subjects: readonly string[]) => `[${subjects.map((subject) => `\n        "${subject}"`).join('')}\n      ]`;
  const lines = users.map(
    ({ name, publish, subscribe }) => `  {
    user: "${name}"
    password: ${passwordOf(name)}
    permissions: {
      publish: { allow: ${list(publish)} }
      subscribe: { allow: ${list(subscribe)} }
    }
  }`,
  );
  return `authorization {\n  timeout: 10\n  users: [\n${lines.join('\n')}\n  ]\n}\n`;
}
