import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { type DestinationStream, pino } from 'pino';
import { describeError, framesOf, redactedMessage } from '../errors/describe-error.ts';
import { defaultOutput } from './log-output.ts';

/**
 * Fields on every line of one request, event, RPC or job: ids and names of the program only, never a person's name, a phone number or a
 * token. `background` is work that no caller requested. `partner_id` is only for a partner's calls.
 */
export interface LogFields {
  request_id?: string;
  store_id?: string;
  partner_id?: string;
  event_id?: string;
  background?: 'jobs' | 'refusals' | 'clock' | 'consumer' | undefined;
  job?: string;
  producer?: string;
}

const fields = new AsyncLocalStorage<LogFields>();

/** Lines logged in `work` have these fields in addition to the current ones. */
export function withLogFields<T>(added: LogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...added }, work);
}

export function addLogFields(added: LogFields): void {
  const current = fields.getStore();
  if (current) Object.assign(current, added);
}

export const currentLogFields = (): LogFields => fields.getStore() ?? {};

export type Log = pino.Logger;

/** Fields with secrets or personal data, removed from every line in case a whole object is logged one day. */
const secrets: ReadonlySet<string> = new Set([
  'authorization',
  'client_secret',
  'ephemeral_key',
  'token',
  'staff_token',
  'staff_secret',
  'nfc_picc_data',
  'nfc_cmac',
  'entry_id',
  'phone',
  'email',
  'guest_phone',
  'guest_name',
  'voucher_code',
  'collection_code',
  'password',
]);

/** Creates a logger whose lines name the service, the trace and the request. Without a `destination` they go to {@link defaultOutput}. */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: timeField,
    formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    serializers: { err: loggedError, error: (value: unknown) => (Error.isError(value) ? loggedError(value) : value) },
    mixin() {
      const line: Record<string, unknown> = { ...fields.getStore() };
      const span = trace.getActiveSpan()?.spanContext();
      if (span && isSpanContextValid(span)) {
        line.trace_id = span.traceId;
        line.span_id = span.spanId;
      }
      return line;
    },
  };
  return pino(options, destination ?? defaultOutput());
}

let second = 0;
let secondAsText = '';

/** Formats as pino's own `isoTime`, but keeps the text of a second, since hundreds of lines share it. */
function timeField(): string {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    secondAsText = new Date(second).toISOString().slice(0, 20);
  }
  return `,"time":"${secondAsText}${String(milliseconds).padStart(3, '0')}Z"`;
}

/** Removes the secrets from a line, and from copies of its objects. pino's own redaction costs ten times the line. */
function withoutSecrets(line: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(line)) {
    const value = line[name];
    if (secrets.has(name)) line[name] = removed;
    else if (typeof value === 'object' && value !== null && !Error.isError(value) && hasSecret(value))
      line[name] = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, secrets.has(key) ? removed : entry]));
  }
  return line;
}

const removed = '[removed]';

const hasSecret = (value: object): boolean => Object.keys(value).some((key) => secrets.has(key));

/** Never returns the values that an error's message quotes, nor fields such as a statement's values: personal data. */
function loggedError(error: unknown): unknown {
  if (!Error.isError(error)) return { message: describeError(error) };
  const { code, constraint, issues } = error as {
    code?: unknown;
    constraint?: unknown;
    issues?: readonly { path?: unknown; message?: unknown }[];
  };
  return {
    type: error.name,
    message: redactedMessage(error),
    stack: framesOf(error),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(Array.isArray(issues) ? { issues: issues.slice(0, 5).map(({ path, message }) => ({ path, message })) } : {}),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}
