import { z } from 'zod';
import { type RunningMessages, startMessages } from './start-messages.ts';

const port = z.coerce.number().int().min(0).max(65_535).default(0);
const fd = z.coerce.number().int().min(3).optional();

const Settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  MESSAGES_SMTP_PORT: port,
  MESSAGES_APNS_PORT: port,
  PORT_FD: fd,
  MESSAGES_SMTP_PORT_FD: fd,
  MESSAGES_APNS_PORT_FD: fd,
  MESSAGES_FOLDER: z.string().min(1),
  MESSAGES_NAME: z.string().default('127.0.0.1'),
  MESSAGES_TEXTS_URL: z.url().optional(),
  MESSAGES_TEXTS_ADDRESS: z.url().optional(),
});

/** `MESSAGES_TEXTS_URL` is called with the texts that people send; `MESSAGES_TEXTS_ADDRESS` is its public address, which is signed. */
export async function messagesOf(env: Readonly<Record<string, string | undefined>>): Promise<RunningMessages> {
  const settings = Settings.parse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  const { MESSAGES_TEXTS_URL: url, MESSAGES_TEXTS_ADDRESS: address } = settings;
  return await startMessages({
    folder: settings.MESSAGES_FOLDER,
    env,
    host: settings.HOST,
    name: settings.MESSAGES_NAME,
    texts: url === undefined ? undefined : { url, address },
    ports: { http: settings.PORT, smtp: settings.MESSAGES_SMTP_PORT, apns: settings.MESSAGES_APNS_PORT },
    fds: { http: settings.PORT_FD, smtp: settings.MESSAGES_SMTP_PORT_FD, apns: settings.MESSAGES_APNS_PORT_FD },
  });
}
