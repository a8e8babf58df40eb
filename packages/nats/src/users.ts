import {
  access,
  consoleUser,
  eventsRead,
  everyReplicaSubject,
  findUnknownAccounts,
  numbers,
  type Producer,
  processedBy,
  producers,
  producersFor,
  rpcSubject,
  type ServiceName,
  services,
  streamOf,
} from '@corner/contracts';

/** A user of NATS and the subjects it may use. */
export interface NatsUser {
  readonly name: string;
  readonly publish: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  /** May answer a request, once, at the address for replies that it names. */
  readonly replies: boolean;
}

/** The prefix of a user's own addresses for replies. No other user may subscribe to them. */
export const inboxOf = (name: string): string => `_INBOX.${name}`;

/** The user that publishes the directory. */
export const directoryUser = 'directory';

/**
 * Returns the users of a platform, one for each service, one for the directory and one for each operator, with what the contracts say each may
 * do. An operator's subjects hold the operator's name, so the broker itself lets no one act under the name of another. The operator `console` is
 * the server of the console, which also reads all streams and their state.
 */
export function natsUsers(operators: readonly string[] = [], namespace = ''): NatsUser[] {
  return [
    ...services.map((service) => serviceUser(service, namespace)),
    ofDirectory(namespace),
    ...operators.map((name) => (name === consoleUser ? ofConsole(namespace) : operatorUser(name, namespace))),
  ];
}

function serviceUser(service: ServiceName, namespace: string): NatsUser {
  const { calls } = access[service];
  const consumed = producersFor(service);
  const stream = (producer: Producer) => `${namespace.toUpperCase()}${streamOf(producer)}`;
  const others = services.filter((other) => other !== service);
  return {
    name: service,
    publish: {
      allow: [
        `${namespace}${service}.>`,
        ...[...calls, ...consumed.filter(numbers).map(eventsRead)].flatMap((rpc) =>
          [rpcSubject(rpc), everyReplicaSubject(rpc)].map((subject) => `${namespace}${subject}`),
        ),
        ...['CREATE', 'UPDATE', 'INFO', 'MSG.GET'].map((step) => `$JS.API.STREAM.${step}.${stream(service)}`),
        ...consumed.flatMap((producer) => [
          ...['CREATE', 'INFO', 'MSG.GET'].map((step) => `$JS.API.STREAM.${step}.${stream(producer)}`),
          ...consumerSubjects(stream(producer)),
          // A delivery's acknowledgement, in the form of every server, and in that of newer ones with a domain and an account before it.
          `$JS.ACK.${stream(producer)}.${service}.>`,
          `$JS.ACK.*.*.${stream(producer)}.${service}.>`,
        ]),
      ],
      // A replay reads by consumers whose names the broker draws, so names are allowed but for those of the other services.
      deny: consumed.flatMap((producer) => others.flatMap((other) => consumerSubjects(stream(producer), other))),
    },
    subscribe: {
      allow: [`${inboxOf(service)}.>`, `${namespace}rpc.${service}.>`, `${namespace}operator.*.${service}.>`, `${namespace}${service}.>`],
    },
    replies: true,
  };
}

/** The subjects that create, read and delete a consumer of a stream: one of a name, or any. */
const consumerSubjects = (stream: string, name = '*'): string[] => [
  ...(name === '*' ? [`$JS.API.CONSUMER.CREATE.${stream}`] : []),
  ...['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE', 'MSG.NEXT'].map((step) => `$JS.API.CONSUMER.${step}.${stream}.${name}`),
  `$JS.API.CONSUMER.CREATE.${stream}.${name}.>`,
];

const ofDirectory = (namespace: string): NatsUser => ({
  name: directoryUser,
  publish: {
    allow: [
      `${namespace}directory.>`,
      ...services.map((service) => `${namespace}${rpcSubject(processedBy(service))}`),
      `${namespace}${rpcSubject(findUnknownAccounts)}`,
    ],
    deny: [],
  },
  subscribe: { allow: [`${inboxOf(directoryUser)}.>`] },
  replies: false,
});

const operatorUser = (name: string, namespace: string): NatsUser => ({
  name,
  publish: { allow: [`${namespace}operator.${name}.>`], deny: [] },
  subscribe: { allow: [`${inboxOf(name)}.>`] },
  replies: false,
});

function ofConsole(namespace: string): NatsUser {
  const stream = (producer: Producer) => `${namespace.toUpperCase()}${streamOf(producer)}`;
  const user = operatorUser(consoleUser, namespace);
  return {
    ...user,
    publish: {
      allow: [
        ...user.publish.allow,
        ...producers.flatMap((producer) => [`$JS.API.STREAM.INFO.${stream(producer)}`, ...consumerSubjects(stream(producer))]),
      ],
      // It reads by consumers whose names the broker draws, and asks for the state of those of the services.
      deny: producers.flatMap((producer) =>
        services.flatMap((service) => consumerSubjects(stream(producer), service).filter((subject) => !subject.includes('.INFO.'))),
      ),
    },
  };
}

/**
 * Returns the part of a server's configuration that holds the users. `passwordOf` returns a user's password as the configuration spells it: a
 * string in quotation marks, or `$NAME` for a variable of the server's environment.
 */
export function usersConfiguration(users: readonly NatsUser[], passwordOf: (name: string) => string): string {
  const list = (subjects: readonly string[]) => `[${subjects.map((subject) => `\n        "${subject}"`).join('')}\n      ]`;
  const lines = users.map(
    ({ name, publish, subscribe, replies }) => `  {
    user: "${name}"
    password: ${passwordOf(name)}
    permissions: {
      publish: { allow: ${list(publish.allow)}${publish.deny.length > 0 ? `, deny: ${list(publish.deny)}` : ''} }
      subscribe: { allow: ${list(subscribe.allow)} }${replies ? '\n      allow_responses: { max: 1, expires: "1m" }' : ''}
    }
  }`,
  );
  return `authorization {\n  users: [\n${lines.join('\n')}\n  ]\n}\n`;
}
