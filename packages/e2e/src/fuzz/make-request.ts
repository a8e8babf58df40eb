import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { DocumentedOperation } from './document.ts';
import type { KnownValues } from './known.ts';
import type { Bearer, Plan } from './plan.ts';

/** A request with everything filled in. */
export interface Made {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Fills a plan in. */
export function make(plan: Plan, known: KnownValues, tokens: Readonly<Record<Bearer, string | null>>): Made {
  const query = plan.rawQuery ?? plan.query.map(([name, value]) => `${encode(name)}=${encode(inWords(known.resolve(value)))}`).join('&');
  const path = plan.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(inWords(known.resolve(plan.path[name]))));
  const token = tokens[plan.bearer];
  const body = bodyOf(plan, known);
  return {
    method: plan.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...Object.fromEntries(plan.headers.map(([name, value]) => [name, value])),
      ...(token === null ? {} : { authorization: token }),
      ...(plan.body.kind === 'none' || plan.body.contentType === null ? {} : { 'content-type': plan.body.contentType }),
      ...(plan.body.kind === 'bytes' && plan.body.encoding ? { 'content-encoding': plan.body.encoding } : {}),
      ...(body ? { 'content-length': String(body.length) } : {}),
    },
    body,
  };
}

/** The request that the document gives as an operation's example. */
export function makeExample({ method, path, parameters, body, example }: DocumentedOperation, authorization: string | null): Made {
  const given = (place: string) => parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined);
  const filled = given('path').reduce((all, parameter) => all.replace(`{${parameter.name}}`, encode(inWords(parameter.example))), path);
  const query = given('query').map(({ name, example: value }) => `${encode(name)}=${encode(inWords(value))}`);
  const bytes = body ? Buffer.from(JSON.stringify(example)) : null;
  return {
    method,
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(bytes ? { 'content-type': 'application/json', 'content-length': String(bytes.length) } : {}),
    },
    body: bytes,
  };
}

function bodyOf({ body }: Plan, known: KnownValues): Buffer | null {
  if (body.kind === 'none') return null;
  return Buffer.from(body.kind === 'json' ? (JSON.stringify(known.resolve(body.value)) ?? '') : body.bytes);
}

const inWords = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** Percent-encoded, lone surrogates as the replacement character. Cut where a request line has to end. */
const encode = (value: string): string => encodeURIComponent(value.slice(0, 1_500).toWellFormed());

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends a request over a real connection. Rejects when no whole answer came within the time. */
export function sendMade(baseUrl: string, made: Made, timeoutMs: number): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const signal = AbortSignal.timeout(timeoutMs);
    const { method, path, headers } = made;
    const sent = httpRequest({ hostname, port, method, path, headers, agent, signal }, async (answer) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') });
      } catch (error) {
        reject(error as Error);
      }
    });
    sent.once('error', reject);
    sent.end(made.body ?? undefined);
  });
}
