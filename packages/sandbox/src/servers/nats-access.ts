import { createHmac, randomBytes } from 'node:crypto';
import { consoleUser } from '@corner/contracts';
import { type Login, natsUsers, usersConfiguration } from '@corner/nats';

export interface NatsAccess {
  readonly configuration: string;
  loginOf(name: string): Login;
  readonly administrator: Login;
}

const administrator = 'administrator';

const noLogin = { NATS_PASSWORD_FILE: undefined, NATS_NKEY_SEED_FILE: undefined, NATS_CREDENTIALS_FILE: undefined };

/**
 * An administrator, and a user for each service, the directory, the streams, the console and each operator. Services reply to the
 * administrator as to an operator.
 */
export function natsAccess(operators: readonly string[] = [], namespace = ''): NatsAccess {
  const secret = randomBytes(32);
  const passwordOf = (name: string) => createHmac('sha256', secret).update(name).digest('hex');
  const loginOf = (name: string) => ({ ...noLogin, NATS_USER: name, NATS_PASSWORD: passwordOf(name) });
  const everything = ['>'];
  const users = natsUsers([consoleUser, administrator, ...operators], namespace).map((user) =>
    user.name === administrator ? { ...user, publish: everything, subscribe: everything } : user,
  );
  return {
    configuration: usersConfiguration(users, (name) => `"${passwordOf(name)}"`),
    loginOf,
    administrator: loginOf(administrator),
  };
}
