import {
  access,
  consoleUser,
  eventsRead,
  everyReplicaSubject,
  findUnknownAccounts,
  numbers,
  type Producer,
  processedBy,
  producersFor,
  rpcSubject,
  type ServiceName,
  services,
} from '@corner/contracts';
import { streamNameOf, wantedStreams } from './streams/wanted.ts';

/** A user of NATS and the subjects it may use. */
export interface NatsUser {
  readonly name: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The prefix of a user's own addresses for replies. No other user may subscribe to them. */
export const inboxOf = (name: string): string => `_INBOX.${name}`;

/** The user that publishes the directory. */
export const directoryUser = 'directory';

/** The user that makes the streams, and the consumers of the services. */
export const streamsUser = 'streams';

/**
 * Returns the users of a platform, one for each service, one for the directory, one for the streams and one for each operator, with what the
 * contracts say each may do. An operator's subjects hold the operator's name, so the broker itself lets no one act under the name of another. The operator `console` is
 * the server of the console, which also reads all streams and their state.
 */
export function natsUsers(operators: readonly string[] = [], namespace = ''): NatsUser[] {
  return [
    ...services.map((service) => serviceUser(service, operators, namespace)),
    ofDirectory(namespace),
    ofStreams(namespace),
    ...operators.map((name) => (name === consoleUser ? ofConsole(namespace) : operatorUser(name, namespace))),
  ];
}

/** The RPCs that a service calls: its own, and those by which every consumer reads events by their numbers. */
const callsOf = (service: ServiceName) => [...access[service].calls, ...producersFor(service).filter(numbers).map(eventsRead)];
const callersOf = (service: ServiceName) => services.filter((caller) => callsOf(caller).some((rpc) => rpc.service === service));

/** A service looks at streams and at its own consumers. It makes, changes and deletes none: what a stream holds is decided by its subjects. */
function serviceUser(service: ServiceName, operators: readonly string[], namespace: string): NatsUser {
  const consumed = producersFor(service);
  const stream = (producer: Producer) => streamNameOf(producer, namespace);
  return {
    name: service,
    publish: [
      `${namespace}${service}.>`,
      ...callsOf(service).flatMap((rpc) => [rpcSubject(rpc), everyReplicaSubject(rpc)].map((subject) => `${namespace}${subject}`)),
      // Replies, to those who call it. `allow_responses` would let it publish whatever it sends to itself with the subject as the reply's.
      ...[...callersOf(service), directoryUser, ...operators].map((caller) => `${inboxOf(caller)}.>`),
      ...[service, ...consumed].flatMap((producer) => ['INFO', 'MSG.GET'].map((step) => `$JS.API.STREAM.${step}.${stream(producer)}`)),
      ...consumed.flatMap((producer) => [
        ...['INFO', 'MSG.NEXT'].map((step) => `$JS.API.CONSUMER.${step}.${stream(producer)}.${service}`),
        // A delivery's acknowledgement, in the form of every server, and in that of newer ones with a domain and an account before it.
        `$JS.ACK.${stream(producer)}.${service}.>`,
        `$JS.ACK.*.*.${stream(producer)}.${service}.>`,
      ]),
    ],
    subscribe: [`${inboxOf(service)}.>`, `${namespace}rpc.${service}.>`, `${namespace}operator.*.${service}.>`, `${namespace}${service}.>`],
  };
}

/**
 * Makes and changes streams and the durable consumers of services, and deletes and reads neither. It decides what streams hold and where consumers
 * send it, so its password is worth as much as that of an administrator.
 */
const ofStreams = (namespace: string): NatsUser => ({
  name: streamsUser,
  publish: wantedStreams(namespace).flatMap(({ name, consumers }) => [
    ...['CREATE', 'UPDATE', 'INFO'].map((step) => `$JS.API.STREAM.${step}.${name}`),
    ...consumers.flatMap((service) =>
      ['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE'].map((step) => `$JS.API.CONSUMER.${step}.${name}.${service}`),
    ),
  ]),
  subscribe: [`${inboxOf(streamsUser)}.>`],
});

const ofDirectory = (namespace: string): NatsUser => ({
  name: directoryUser,
  publish: [
    `${namespace}directory.>`,
    ...services.map((service) => `${namespace}${rpcSubject(processedBy(service))}`),
    `${namespace}${rpcSubject(findUnknownAccounts)}`,
  ],
  subscribe: [`${inboxOf(directoryUser)}.>`],
});

const operatorUser = (name: string, namespace: string): NatsUser => ({
  name,
  publish: [`${namespace}operator.${name}.>`],
  subscribe: [`${inboxOf(name)}.>`],
});

/** It reads every stream by its messages, which takes no consumer, and asks for the state of the services' consumers. */
function ofConsole(namespace: string): NatsUser {
  const user = operatorUser(consoleUser, namespace);
  const reads = wantedStreams(namespace).flatMap(({ name, consumers }) => [
    ...['INFO', 'MSG.GET'].map((step) => `$JS.API.STREAM.${step}.${name}`),
    ...consumers.map((service) => `$JS.API.CONSUMER.INFO.${name}.${service}`),
  ]);
  return { ...user, publish: [...user.publish, ...reads] };
}

/**
 * Returns the part of a server's configuration that holds the users. `passwordOf` returns a user's password as the configuration spells it: a
 * string in quotation marks, or `$NAME` for a variable of the server's environment.
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
  return `authorization {\n  users: [\n${lines.join('\n')}\n  ]\n}\n`;
}
