import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ServiceFact } from '@corner/nats';
import { z } from 'zod';

/** The log line of a process at the end of a request. */
const Line = z.object({
  time: z.string(),
  service: z.string(),
  msg: z.literal('request'),
  operation: z.string(),
  status: z.number(),
  ms: z.number(),
  code: z.string().optional(),
  request_id: z.string(),
  trace_id: z.string().optional(),
});

/** Reads the ends of requests, by request id or trace id, from the log files in a folder, or from the standard input for `-`. A missing folder has no lines. */
export async function readLogs(source: string, id: string): Promise<ServiceFact[]> {
  const streams: Readable[] =
    source === '-'
      ? [process.stdin]
      : (await readdir(source).catch(() => []))
          .filter((name) => name.endsWith('.log'))
          .map((name) => createReadStream(`${source}/${name}`));
  return (await Promise.all(streams.map((stream) => readLog(stream, id)))).flat();
}

async function readLog(stream: Readable, id: string): Promise<ServiceFact[]> {
  const facts: ServiceFact[] = [];
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!text.includes(id)) continue;
    const line = parse(text);
    if (!line || (line.request_id !== id && line.trace_id !== id)) continue;
    facts.push({
      service: line.service,
      at: line.time,
      sentence: `${line.service} answered ${line.operation} with ${line.status}${line.code ? ` ${line.code}` : ''} after ${line.ms} ms.`,
      event_id: null,
      request_id: line.request_id,
      trace_id: line.trace_id ?? null,
      of: null,
    });
  }
  return facts;
}

function parse(text: string): z.output<typeof Line> | null {
  try {
    // In a stream of several processes, each line starts with the name of its process.
    return Line.parse(JSON.parse(text.slice(text.indexOf('{'))));
  } catch {
    return null;
  }
}
