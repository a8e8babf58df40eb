import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { ConsumerPartsList } from './streams/consumer-parts.ts';

const readable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};
const file = z.string().refine(readable, 'names a file that this process cannot read').optional();

const isAddress = (text: string): boolean => ['nats:', 'tls:'].includes(URL.parse(text)?.protocol ?? '');

/** How to reach NATS and to log in. At most one kind of login is set: user and password, an NKey, or credentials. */
export const natsLogin = {
  /** The servers, separated by commas: `nats://a:4222,nats://b:4222`. One that is away is passed over. `tls://` demands TLS. */
  NATS_URL: z
    .string()
    .refine((list) => addressesOf(list).every(isAddress), 'must be a nats:// address, or several of them separated by commas'),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  /** Instead of NATS_PASSWORD. Like every file here it is read again at each connection, so that its content may be replaced. */
  NATS_PASSWORD_FILE: file,
  /** The seed of an NKey: a line that begins with `SU`. */
  NATS_NKEY_SEED_FILE: file,
  /** A JWT and its seed, as `nsc` and hosted servers give out: the `.creds` file. */
  NATS_CREDENTIALS_FILE: file,
  /** The authorities that may sign a server's certificate, as PEM, instead of Node's own list. It demands TLS. */
  NATS_CA_FILE: file,
  /** The certificate with which this process shows who it is, as PEM, and its key. */
  NATS_CERTIFICATE_FILE: file,
  NATS_CERTIFICATE_KEY_FILE: file,
};

export type NatsLogin = z.output<z.ZodObject<typeof natsLogin>>;

export const natsSettings = {
  ...natsLogin,
  /** Prefix of streams and subjects, so that several platforms can share one NATS server. */
  NATS_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9_]*$/, 'must be lower-case letters, digits and underscores')
    .default(''),
};

export const streamsSettings = {
  NATS_NAMESPACE: natsSettings.NATS_NAMESPACE,
  /** How many servers of a cluster keep each stream. An existing stream is raised to it and never lowered. Absent: one, or the operator's. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).optional(),
  /** The services that have consumers for several parts, with their number: `notifications=4,loyalty=2`. */
  CONSUMER_PARTS: ConsumerPartsList,
};

export const addressesOf = (list: string): string[] => list.split(',').map((address) => address.trim());

/** Returns NATS_URL without users' passwords, so that it may be printed. */
export const withoutPasswords = (list: string): string => list.replace(/(:\/\/[^/@:]*):[^/@]*@/g, '$1:***@');
