import { readdirSync, readFileSync } from 'node:fs';
import { producers, services } from '@corner/contracts';
import { connectNats, storedMessages, streamNameOf } from '@corner/nats';
import { jetstreamManager } from '@nats-io/jetstream';
import pg from 'pg';
import type { TestEnvironment } from '../testing/test-environment.ts';

export type Marks = Readonly<Record<string, string>>;

/** Finds also marks that are encoded as hexadecimal bytes. */
const marksIn = (text: string, marks: Marks): string[] => {
  const lower = text.toLowerCase();
  return Object.entries(marks).flatMap(([name, value]) => {
    const forms = [value.toLowerCase(), Buffer.from(value).toString('hex')];
    return forms.some((form) => lower.includes(form)) ? [name] : [];
  });
};

export async function marksInTables({ system }: TestEnvironment, marks: Marks, except: readonly string[] = []): Promise<string[]> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1) order by 1`,
      [[...services, 'gateway']],
    );
    const found = new Set<string>();
    for (const { name } of tables.filter((table) => !except.includes(table.name))) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
      for (const { text } of rows) for (const mark of marksIn(text, marks)) found.add(`${name}: ${mark}`);
    }
    return [...found].sort();
  } finally {
    await client.end();
  }
}

export async function marksInStreams({ system }: TestEnvironment, marks: Marks): Promise<string[]> {
  const connection = await connectNats(system.natsUrl, 'e2e');
  try {
    const jsm = await jetstreamManager(connection);
    const found = new Set<string>();
    for (const producer of producers) {
      const stream = streamNameOf(producer);
      for await (const { subject, data } of storedMessages(jsm, stream, { from: 1 }))
        for (const mark of marksIn(Buffer.from(data).toString(), marks))
          found.add(`${stream} ${subject.split('.').slice(1, -2).join('.')}: ${mark}`);
    }
    return [...found].sort();
  } finally {
    await connection.close();
  }
}

/**
 * Returns where logs, spans and simulators hold a mark. Delivered messages are not searched, since a mailbox and a phone are the
 * recipient's own. A pass in Google's wallet is, since the platform keeps writing to it.
 */
export async function marksOutside({ system, collector, folder }: TestEnvironment, marks: Marks): Promise<string[]> {
  const logs = readdirSync(`${folder}/log`).map((file) => [`log ${file}`, readFileSync(`${folder}/log/${file}`, 'utf8')] as const);
  const spans = collector.received.map(({ path, text }) => [`telemetry ${path}`, text] as const);
  const books = await (await fetch(`${system.paymentsUrl}/_sim/books`)).text();
  const messages = (await (await fetch(`${system.messagesUrl}/inbox.json`)).json()) as readonly { readonly channel: string }[];
  const passes = JSON.stringify(messages.filter(({ channel }) => channel === 'wallet'));
  const places = [...logs, ...spans, ['payment provider', books], ['wallet', passes]] as const;
  return [...new Set(places.flatMap(([place, text]) => marksIn(text, marks).map((mark) => `${place}: ${mark}`)))].sort();
}
