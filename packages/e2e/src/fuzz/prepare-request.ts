import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { KnownValues } from './known-values.ts';
import type { DocumentedOperation } from './openapi-document.ts';
import { type Bearer, bearerOfRequest, type PlannedRequest } from './planned-request.ts';

export interface PreparedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Fills in the placeholders and the token of a planned request. */
export function prepareRequest(plan: PlannedRequest, known: KnownValues, tokens: Readonly<Record<Bearer, string | null>>): PreparedRequest {
  const query = plan.rawQuery ?? plan.query.map(([name, value]) => `${encode(name)}=${encode(asText(known.resolve(value)))}`).join('&');
  const path = plan.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(asText(known.resolve(plan.path[name]))));
  const token = tokens[bearerOfRequest(plan.bearer, plan.method, plan.operation.path)];
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

export function prepareExample(
  { method, path, parameters, body, example }: DocumentedOperation,
  authorization: string | null,
): PreparedRequest {
  const examplesIn = (place: string) => parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined);
  const filled = examplesIn('path').reduce((all, parameter) => all.replace(`{${parameter.name}}`, encode(asText(parameter.example))), path);
  const query = examplesIn('query').map(({ name, example: value }) => `${encode(name)}=${encode(asText(value))}`);
  const bytes = body ? Buffer.from(JSON.stringify(example)) : null;
  return {
    method,
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    headers: {
      ...Object.fromEntries(requiredHeaders(parameters).map((name) => [name, '*'])),
      ...(authorization === null ? {} : { authorization }),
      ...(bytes ? { 'content-type': 'application/json', 'content-length': String(bytes.length) } : {}),
    },
    body: bytes,
  };
}

/** The headers that an operation needs: If-Match, for which `*` always serves. */
const requiredHeaders = (parameters: DocumentedOperation['parameters']): readonly string[] =>
  parameters.filter((parameter) => parameter.in === 'header' && parameter.required).map(({ name }) => name.toLowerCase());

function bodyOf({ body }: PlannedRequest, known: KnownValues): Buffer | null {
  if (body.kind === 'none') return null;
  return Buffer.from(body.kind === 'json' ? (JSON.stringify(known.resolve(body.value)) ?? '') : body.bytes);
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** Percent-encodes a value, with lone surrogates replaced and at most 1,500 characters, because a request line has a limit. */
const encode = (value: string): string => encodeURIComponent(value.slice(0, 1_500).toWellFormed());

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export function sendRequest(baseUrl: string, prepared: PreparedRequest, timeoutMs: number): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const signal = AbortSignal.timeout(timeoutMs);
    const { method, path, headers } = prepared;
    const sent = httpRequest({ hostname, port, method, path, headers, agent, signal }, async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
      } catch (error) {
        reject(error as Error);
      }
    });
    sent.once('error', reject);
    sent.end(prepared.body ?? undefined);
  });
}
