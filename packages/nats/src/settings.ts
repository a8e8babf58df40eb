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

/**
 * How to reach NATS and log in: at most one of user and password, an NKey, or credentials. Files are read again at each connection, so that
 * their content may be replaced.
 */
export const natsLogin = {
  /** Separated by commas: `nats://a:4222,nats://b:4222`. One that is away is passed over. `tls://` demands TLS. */
  NATS_URL: z
    .string()
    .refine((list) => addressesOf(list).every(isAddress), 'must be a nats:// address, or several of them separated by commas'),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_PASSWORD_FILE: file,
  NATS_NKEY_SEED_FILE: file,
  NATS_CREDENTIALS_FILE: file,
  /** The authorities that may sign a server's certificate, as PEM, instead of Node's own list. Demands TLS. */
  NATS_CA_FILE: file,
  NATS_CERTIFICATE_FILE: file,
  NATS_CERTIFICATE_KEY_FILE: file,
};

export type NatsLogin = z.output<z.ZodObject<typeof natsLogin>>;

export const natsSettings = {
  ...natsLogin,
  NATS_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9_]*$/, 'must be lower-case letters, digits and underscores')
    .default(''),
};

export const streamsSettings = {
  NATS_NAMESPACE: natsSettings.NATS_NAMESPACE,
  /**
   * How many servers of a cluster keep each stream. An existing stream is raised to it and never lowered. Absent: one, or the operator's.
   */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).optional(),
  CONSUMER_PARTS: ConsumerPartsList,
};

export const addressesOf = (list: string): string[] => list.split(',').map((address) => address.trim());

export const withoutPasswords = (list: string): string => list.replace(/(:\/\/[^/@:]*):[^/@]*@/g, '$1:***@');
