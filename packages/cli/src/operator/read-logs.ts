import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ServiceFact } from '@corner/operator';
import { z } from 'zod';

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

/**
 * Reads the ends of requests, by request id or trace id, from a log file, a folder's, or standard input for `-`. Throws when there is none.
 */
export async function readLogs(source: string, id: string): Promise<ServiceFact[]> {
  const streams: Readable[] = source === '-' ? [process.stdin] : (await logFilesOf(source)).map((file) => createReadStream(file));
  const ids = [...new Set([id, id.toLowerCase()])];
  return (await Promise.all(streams.map((stream) => readLog(stream, ids)))).flat();
}

async function logFilesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  return (await readdir(path)).filter((name) => name.endsWith('.log')).map((name) => `${path}/${name}`);
}

async function readLog(stream: Readable, ids: readonly string[]): Promise<ServiceFact[]> {
  const facts: ServiceFact[] = [];
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!ids.some((id) => text.includes(id))) continue;
    const line = parse(text);
    if (!line || !(ids.includes(line.request_id) || (line.trace_id !== undefined && ids.includes(line.trace_id)))) continue;
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
    return Line.parse(JSON.parse(text.slice(text.indexOf('{'))));
  } catch {
    return null;
  }
}
