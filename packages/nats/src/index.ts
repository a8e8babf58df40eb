export { connectOptions, loginFault, userOf } from './connect-options.ts';
export { addressesOf, type NatsLogin, natsLogin, natsSettings, withoutPasswords } from './settings.ts';
export { directoryUser, inboxOf, type NatsUser, natsUsers, usersConfiguration } from './users.ts';
