import { z } from 'zod';
import { consoleClient, consolePeople } from '../demo/console-people.ts';
import { startIssuer } from './start-issuer.ts';

const settings = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    ISSUER_KEY_FILE: z.string().optional(),
    ISSUER_URL: z.url().optional(),
    ISSUER_PAGES_URL: z.url().optional(),
    CONSOLE_URLS: z.string().default(''),
  })
  .parse(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')));

const consoles = settings.CONSOLE_URLS.split(',').filter(Boolean);
const issuer = await startIssuer({
  host: settings.HOST,
  port: settings.PORT,
  people: consolePeople,
  clients: [consoleClient(consoles)],
  url: settings.ISSUER_URL,
  pagesUrl: settings.ISSUER_PAGES_URL,
  ...(settings.ISSUER_KEY_FILE === undefined ? {} : { keyFile: settings.ISSUER_KEY_FILE }),
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void issuer.stop());
console.log(JSON.stringify({ listening: issuer.port }));
