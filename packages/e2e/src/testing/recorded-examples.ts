import { readFileSync, writeFileSync } from 'node:fs';
import { events, type ProblemCode, RpcReply, rpcSubject, rpcs, streamOf } from '@corner/contracts';
import { type Examples, examplesFile, refusalBody } from '@corner/contracts/specs/examples.ts';
import { linePerExample } from '@corner/contracts/specs/json-text.ts';
import { connectNats } from '@corner/nats';
import type { RunningSystem } from '@corner/sandbox/system';
import { jetstreamManager } from '@nats-io/jetstream';

export interface SeenResponses {
  [operation: string]: { success?: unknown; problems?: Record<string, unknown> };
}

export type SeenEvents = Examples['events'];

const readExamples = (): Examples => JSON.parse(readFileSync(examplesFile, 'utf8'));

/** Writes with UPDATE_EXAMPLES=1; `npm run specs` then puts the examples into openapi.json. Returns whether it did. */
function saved({ successes, refusals, replies, events: published }: Examples): boolean {
  if (!process.env.UPDATE_EXAMPLES) return false;
  const sorted = { successes: byName(successes), refusals: byName(refusals), replies: byName(replies), events: byName(published) };
  writeFileSync(examplesFile, linePerExample(sorted));
  return true;
}

const byName = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)));

export async function firstEvents({ natsUrl }: RunningSystem): Promise<SeenEvents> {
  const connection = await connectNats(natsUrl, 'test');
  try {
    const { streams } = await jetstreamManager(connection);
    const found: Record<string, SeenEvents[string]> = {};
    for (const { type, version, producers } of events) {
      for (const producer of producers) {
        const next = { seq: 1, next_by_subj: `${producer}.${type}.v${version}.*` };
        const message = await streams.getMessage(streamOf(producer), next);
        if (message) found[type] ??= message.json<SeenEvents[string]>();
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}

export type SeenReplies = Readonly<Record<string, object>>;

/** Listens to the RPCs of a system from now on. `seen` has the first output of each. */
export async function listenToReplies({ natsUrl }: RunningSystem): Promise<{ readonly seen: SeenReplies } & AsyncDisposable> {
  const connection = await connectNats(natsUrl, 'test');
  const seen: Record<string, object> = {};
  const asked = new Map<string, string>();
  const known = new Map(rpcs.filter(({ operator }) => !operator).map((rpc) => [rpcSubject(rpc), rpc.name]));
  connection.subscribe('rpc.>', {
    callback(_, { subject, reply = '' }) {
      const name = known.get(subject);
      if (name) asked.set(reply, name);
    },
  });
  connection.subscribe('_INBOX.>', {
    callback(_, message) {
      const name = asked.get(message.subject);
      const reply = name ? RpcReply.parse(message.json()) : undefined;
      if (name && reply && 'output' in reply) seen[name] ??= withoutSecrets(reply.output) as object;
    },
  });
  await connection.flush();
  return { seen, [Symbol.asyncDispose]: () => connection.close() };
}

/** Returns the RPCs whose reply was seen and is no example. With UPDATE_EXAMPLES=1 the file gets these replies instead. */
export function repliesWithoutExample(seen: SeenReplies): string[] {
  const documented = readExamples();
  const missing = Object.keys(seen).filter((name) => !(name in documented.replies));
  return saved({ ...documented, replies: { ...seen, ...documented.replies } }) ? [] : missing;
}

export function withoutExample(seen: SeenEvents): string[] {
  const documented = readExamples();
  const missing = Object.keys(seen).filter((type) => !(type in documented.events));
  return saved({ ...documented, events: { ...seen, ...documented.events } }) ? [] : missing;
}

/**
 * Returns a line for each response that is not documented or has another shape: other fields, other types, another message. With
 * UPDATE_EXAMPLES=1 the file gets these responses instead.
 */
export function compareWithExamples(seen: SeenResponses): string[] {
  const documented = readExamples();
  const [successes, refusals] = [{ ...documented.successes }, { ...documented.refusals }];
  const stale: string[] = [];
  for (const [name, { success, problems = {} }] of Object.entries(seen)) {
    const known = successes[name];
    if (success !== undefined && (known === undefined || shapeOf(withNullsOf(success, known)) !== shapeOf(withNullsOf(known, success)))) {
      stale.push(`${name}: documented ${shapeOf(known)}, returned ${shapeOf(success)}`);
      successes[name] = withoutSecrets(success);
    }
    for (const [code, body] of Object.entries(problems)) {
      const messages = refusals[code] ?? [];
      if (messages.some((message) => shapeOf(body) === shapeOf(refusalBody(code as ProblemCode, message, '')))) continue;
      stale.push(`${name} ${code}: documented ${messages.join(' | ')}, returned ${shapeOf(body)}`);
      refusals[code] = [...messages, (body as ReturnType<typeof refusalBody>).error.message];
    }
  }
  return saved({ ...documented, successes, refusals }) ? [] : stale;
}

/** At another hour a field of an example may be empty, such as the number of orders that the next slot can still take. */
function withNullsOf(other: unknown, value: unknown): unknown {
  if (other === null) return null;
  if (Array.isArray(value) && Array.isArray(other)) return value.map((one) => withNullsOf(other[0], one));
  if (typeof value !== 'object' || value === null || typeof other !== 'object') return value;
  const fields = other as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNullsOf(fields[name], inner)]));
}

/** Equal for values of the same shape. A refusal's code and its message, without ids and numbers, are part of the shape. */
function shapeOf(value: unknown, field = '', parent = ''): string {
  if (Array.isArray(value)) return `[${value.length > 0 ? shapeOf(value[0]) : ''}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => `${name}:${shapeOf(inner, name, field)}`)
      .join()}}`;
  if (parent === 'error' && (field === 'code' || field === 'message'))
    return JSON.stringify(value)?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z0-9]{0,9}\d+/g, '#') ?? '';
  return value === undefined ? 'nothing' : value === null ? 'null' : typeof value;
}

const secrets = new Set([
  'client_secret',
  'secret',
  'ephemeral_key',
  'apple_url',
  'google_url',
  'url_path',
  'receipt_url',
  'access_token',
  'refresh_token',
  'token',
]);

function withoutSecrets(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner) =>
    secrets.has(name) && typeof inner === 'string' ? `${inner.slice(0, 12)}…` : inner,
  );
}
