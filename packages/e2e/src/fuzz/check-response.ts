import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type DocumentedOperation, document, documentedOperations } from './openapi-document.ts';
import type { Request } from './requests.ts';

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Without the wait for one of the connections. */
  readonly tookMs: number;
}

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);
ajv.addFormat('e164', /^\+[1-9]\d{6,14}$/);
ajv.addSchema(document, 'openapi');

const compiled = new Map<string, ValidateFunction>();

function validatorAt(schemaPointer: string): ValidateFunction {
  const validator = compiled.get(schemaPointer) ?? ajv.compile({ $ref: `openapi#${encodeURI(schemaPointer)}` });
  compiled.set(schemaPointer, validator);
  return validator;
}

const patterns = documentedOperations.map(
  (operation) => [operation, new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i')] as const,
);

/** Chooses as the router does: ignores letter case and one trailing slash, and prefers literal segments to parameters. */
function operationOf({ method, path }: Request): DocumentedOperation | undefined {
  const [pathname = ''] = path.split('?', 1);
  const matching = patterns
    .filter(([operation, pattern]) => operation.method === method && pattern.test(pathname))
    .map(([operation]) => operation);
  return matching.find(({ path: template }) => template === pathname.toLowerCase().replace(/\/$/, '')) ?? matching[0];
}

/** Returns undefined when the response is as the OpenAPI document describes. */
export function checkResponse(request: Request, { status, headers, text }: Received): string | undefined {
  if (!headers['x-request-id']) return 'no X-Request-Id';
  const operation = operationOf(request);
  if (request.method === 'HEAD') return status < 500 && text === '' ? undefined : `HEAD returned ${status} with ${text.length} bytes`;
  if (operation?.responses.get(status)?.schemaPointer === null) return text === '' ? undefined : `${status} with ${text.length} bytes`;
  // The document says of a table and a paper only that they are text and bytes.
  if (status === 200 && /[?&]format=(csv|pdf)/.test(request.path)) return undefined;
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? '')) return `content-type ${headers['content-type']}`;
  const body = parsed(text);
  if (body === undefined) return 'the body is not JSON';
  const { error } = (body ?? {}) as { error?: Refusal | string };
  const { code = '', requestId } = (typeof error === 'string' ? (body as Refusal) : error) ?? {};
  if (!operation) {
    const isRefused = (status === 404 && code === 'ROUTE_NOT_FOUND') || (status === 405 && code === 'METHOD_NOT_ALLOWED' && headers.allow);
    return isRefused || status === 413 ? undefined : `no operation, but ${status} ${code}`;
  }
  const documentedResponse = operation.responses.get(status);
  if (status >= 500) return `${status} ${code}`;
  if (!documentedResponse?.schemaPointer) return `${status} ${code} is not documented`;
  const fits = validatorAt(documentedResponse.schemaPointer);
  if (!fits(body)) return `${status} does not fit its schema: ${ajv.errorsText(fits.errors)}`;
  if (status === 200) return undefined;
  if (!documentedResponse.codes.has(code)) return `${status} is documented, but not ${code}`;
  if (requestId !== headers['x-request-id']) return 'the request id in the body differs from the header';
  if (status === 401 && !headers['www-authenticate']) return '401 without WWW-Authenticate';
  return undefined;
}

interface Refusal {
  readonly code?: string;
  readonly requestId?: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
