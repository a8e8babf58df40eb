import { createHmac, randomBytes } from 'node:crypto';
import { consoleUser } from '@corner/contracts';
import { type Login, natsUsers, usersConfiguration } from '@corner/nats';

/** The users of a system's own NATS, with passwords that only this run knows. */
export interface NatsAccess {
  readonly configuration: string;
  loginOf(name: string): Login;
  readonly administrator: Login;
}

const administrator = 'administrator';

/** Only one kind of login can be used, and the caller's shell may hold another one. */
const noLogin = { NATS_PASSWORD_FILE: undefined, NATS_NKEY_SEED_FILE: undefined, NATS_CREDENTIALS_FILE: undefined };

/** Makes an administrator and a user for each service, the directory, the streams, the console and each operator. */
export function natsAccess(operators: readonly string[] = [], namespace = ''): NatsAccess {
  const secret = randomBytes(32);
  const passwordOf = (name: string) => createHmac('sha256', secret).update(name).digest('hex');
  const loginOf = (name: string) => ({ ...noLogin, NATS_USER: name, NATS_PASSWORD: passwordOf(name) });
  const everything = ['>'];
  // Services reply to the administrator as to an operator.
  const users = natsUsers([consoleUser, administrator, ...operators], namespace).map((user) =>
    user.name === administrator ? { ...user, publish: everything, subscribe: everything } : user,
  );
  return {
    configuration: usersConfiguration(users, (name) => `"${passwordOf(name)}"`),
    loginOf,
    administrator: loginOf(administrator),
  };
}
