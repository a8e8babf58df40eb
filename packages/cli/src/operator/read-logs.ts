import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { OutboxEntry } from './gather-story.ts';

/** The line a process logs at the end of a request. */
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

/** Reads how a request ended at each process from log files of this machine, or from the standard input for `-`. None is none. */
export async function readLogs(where: string, requestId: string): Promise<OutboxEntry[]> {
  const sources: Readable[] =
    where === '-'
      ? [process.stdin]
      : (await readdir(where).catch(() => [])).filter((name) => name.endsWith('.log')).map((name) => createReadStream(`${where}/${name}`));
  return (await Promise.all(sources.map((source) => readLog(source, requestId)))).flat();
}

async function readLog(source: Readable, requestId: string): Promise<OutboxEntry[]> {
  const told: OutboxEntry[] = [];
  for await (const text of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!text.includes(requestId)) continue;
    const line = parse(text);
    if (line?.request_id !== requestId) continue;
    told.push({
      service: line.service,
      at: line.time,
      sentence: `${line.service} answered ${line.operation} with ${line.status}${line.code ? ` ${line.code}` : ''} after ${line.ms} ms.`,
      event_id: null,
      request_id: requestId,
      trace_id: line.trace_id ?? null,
      of: null,
    });
  }
  return told;
}

function parse(text: string): z.output<typeof Line> | null {
  try {
    // Where many processes share one stream each line begins with the name of its own.
    return Line.parse(JSON.parse(text.slice(text.indexOf('{'))));
  } catch {
    return null;
  }
}
