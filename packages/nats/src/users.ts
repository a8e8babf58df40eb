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

export const directoryUser = 'directory' satisfies ServiceName;

/** The subjects of ended sessions: the last token is a hash of the session's id. */
export const sessionEnded = `${consoleUser}.session.ended.*`;
/** The subjects of people's snapshots: the last token is the person's id. */
export const peopleChanged = subjectOf('directory', directoryStaff, '*');

export const streamsUser = 'streams';

/**
 * Returns the users of a platform with the permissions that the contracts need. An operator's subjects hold the operator's name, so no one
 * can act under another. The operator `console` also reads all streams.
 */
export function natsUsers(operators: readonly string[] = [], namespace = '', parts: ConsumerParts = {}): NatsUser[] {
  return [
    ...services.map((service) => serviceUser(service, operators, namespace, parts)),
    ofStreams(namespace, parts),
    ...operators.map((name) => (name === consoleUser ? ofConsole(namespace, parts) : operatorUser(name, namespace))),
  ];
}

const calledBy = (service: ServiceName) => [...callsOf(service), ...(service === directoryUser ? callsOfApply : [])];

/** `corner apply` waits until the services have processed the snapshots, and asks orders for accounts that the provider does not know. */
const callsOfApply: readonly AnyRpc[] = [...consumersOfDirectory.map(processedBy), findUnknownAccounts];
const callersOf = (service: ServiceName) => services.filter((caller) => calledBy(caller).some((rpc) => rpc.service === service));

/** A service reads streams and its own consumers, and makes, changes and deletes none: the subjects of a stream decide its content. */
function serviceUser(service: ServiceName, operators: readonly string[], namespace: string, parts: ConsumerParts): NatsUser {
  const consumed = producersFor(service);
  const stream = (producer: Producer) => streamNameOf(producer, namespace);
  return {
    name: service,
    publish: [
      `${namespace}${service}.>`,
      ...calledBy(service).flatMap((rpc) => [rpcSubject(rpc), everyReplicaSubject(rpc)].map((subject) => `${namespace}${subject}`)),
      // Replies to callers. `allow_responses` would let it publish to itself anything whose reply subject it names.
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

/** Decides what streams hold and where consumers send it, so its password is worth an administrator's. */
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

const operatorUser = (name: string, namespace: string): NatsUser => ({
  name,
  publish: [`${namespace}operator.${name}.>`, `${namespace}${rpcSubject(findUnknownAccounts)}`],
  subscribe: [`${inboxOf(name)}.>`],
});

/**
 * Reads every stream by its messages, without a consumer, and the state of the services' consumers. Publishes ended sessions, and
 * subscribes to them and to changes of people.
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
 * `passwordOf` returns a quoted password, or `$NAME` of the server's environment. A client has ten seconds to log in: the default of two is
 * too short while a whole machine starts.
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
