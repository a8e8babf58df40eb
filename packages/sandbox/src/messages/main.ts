import { z } from 'zod';
import { startMessages } from './start-messages.ts';

const port = z.coerce.number().int().min(0).max(65_535).default(0);
/** An inherited listening socket, instead of HOST and the port. */
const fd = z.coerce.number().int().min(3).optional();

const settings = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port,
    MESSAGES_SMTP_PORT: port,
    MESSAGES_APNS_PORT: port,
    PORT_FD: fd,
    MESSAGES_SMTP_PORT_FD: fd,
    MESSAGES_APNS_PORT_FD: fd,
    /** Folder of keys and certificates; a client reads its own from the same folder. The counters of tags are kept there too. */
    MESSAGES_FOLDER: z.string().min(1),
    MESSAGES_NAME: z.string().default('127.0.0.1'),
  })
  .parse(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')));

const messages = await startMessages({
  folder: settings.MESSAGES_FOLDER,
  env: process.env,
  host: settings.HOST,
  name: settings.MESSAGES_NAME,
  ports: { http: settings.PORT, smtp: settings.MESSAGES_SMTP_PORT, apns: settings.MESSAGES_APNS_PORT },
  fds: { http: settings.PORT_FD, smtp: settings.MESSAGES_SMTP_PORT_FD, apns: settings.MESSAGES_APNS_PORT_FD },
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void messages.stop());
console.log(JSON.stringify({ listening: messages.ports }));
