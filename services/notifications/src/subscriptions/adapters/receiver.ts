import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { networkErrorCode, parseRetryAfter } from '../../adapters/responses.ts';
import { faultOfAddress, isAllowedHost, isPublicAddress, type ReceiverSettings } from './address.ts';

export interface ReceiverRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * `status` is null when there was no response. `detail` is the beginning of the body as text, 512 characters at most, with a space for each
 * control character and lone surrogate; else the fault's code, such as ECONNREFUSED, TIMEOUT, ADDRESS_REFUSED, TOO_LARGE. The seconds of
 * Retry-After are a day at most, 0 when absent.
 */
export interface ReceiverResponse {
  readonly status: number | null;
  readonly detail: string;
  readonly retryAfterSeconds: number;
  readonly durationMs: number;
}

export interface Receivers {
  /** Sends one request. Never throws, and follows no redirection. After `close` a request under way has no response. */
  post(request: ReceiverRequest): Promise<ReceiverResponse>;
  close(): Promise<void>;
}

/**
 * Limits of one request in milliseconds, and functions that tests replace. `totalMs` includes connection, headers and body; `connectMs` DNS
 * and TLS. `resolve` throws when the host has no address. `authority`: certificates to trust besides the system's; null for none.
 */
export interface Wire {
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isPublic: (address: string) => boolean;
  readonly authority: string | null;
  readonly totalMs: number;
  readonly connectMs: number;
}

const longestBody = 64 * 1024;
const longestHeaders = 16 * 1024;
const longestDetail = 512;
/** Shorter than servers keep a connection, five seconds mostly: a request on one that is being closed would be lost. */
const idleMs = 1_000;

/**
 * Opens the client for receivers that strangers chose. Each connection goes to an address that was checked when its host name was looked up
 * for it, so a later change in DNS has no effect. Hosts that the operator allows are not checked: they may have local names and private
 * addresses. There are no cookies, and no proxy of the environment.
 */
export function openReceivers(settings: ReceiverSettings, now: () => Date, replaced: Partial<Wire> = {}): Receivers {
  const wire: Wire = { resolve: resolveHost, isPublic: isPublicAddress, authority: null, totalMs: 10_000, connectMs: 5_000, ...replaced };
  const checked = openAgent(wire, lookupChecked(wire));
  const unchecked = openAgent(wire, undefined);
  return {
    async post({ url, headers, body }) {
      const begunAt = performance.now();
      const end = (said: Omit<ReceiverResponse, 'durationMs'>) => ({ ...said, durationMs: Math.round(performance.now() - begunAt) });
      const target = faultOfAddress(url, settings) === null ? new URL(url) : null;
      if (!target) return end({ status: null, detail: 'ADDRESS_REFUSED', retryAfterSeconds: 0 });
      const agent = isAllowedHost(target, settings.allowedHosts) ? unchecked : checked;
      try {
        const response = await agent.request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers,
          body,
          signal: AbortSignal.timeout(wire.totalMs),
        });
        const retryAfter = [response.headers['retry-after']].flat()[0] ?? null;
        return end({
          status: response.statusCode,
          detail: await beginningOf(response.body),
          retryAfterSeconds: Math.min(parseRetryAfter(retryAfter, now()), 86_400),
        });
      } catch (error) {
        return end({ status: null, detail: faultCode(error), retryAfterSeconds: 0 });
      }
    },
    async close() {
      await Promise.all([checked.destroy(), unchecked.destroy()]);
    },
  };
}

const openAgent = ({ totalMs, connectMs, authority }: Wire, lookup: LookupFunction | undefined): Agent =>
  new Agent({
    allowH2: false,
    maxHeaderSize: longestHeaders,
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: {
      timeout: connectMs,
      // By default Node gives each address of a host a quarter of a second, too little for some distances.
      autoSelectFamilyAttemptTimeout: Math.ceil(connectMs / 3),
      ...(lookup ? { lookup } : {}),
      ...(authority ? { ca: authority } : {}),
    },
  });

const lookupChecked =
  ({ resolve, isPublic }: Wire): LookupFunction =>
  (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(isPublic)) {
          done(Object.assign(new Error('the host has an address that is not public'), { code: 'ADDRESS_REFUSED' }), []);
          return;
        }
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) done(null, found);
        else done(null, first, found[0]?.family);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };

/**
 * Uses DNS alone, and not the files of the machine. Unlike the system's own lookup it occupies no thread while a stranger's DNS server is
 * slow: threads are few, and all lookups of the process need them.
 */
async function resolveHost(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap((asked) => (asked.status === 'fulfilled' ? asked.value : []));
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}

/** Returns the beginning of a body as text. A body that is too long, or breaks off, ends its connection; the status counts all the same. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of body) {
      if (text.length < longestDetail) text += decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      if (bytes > longestBody) break;
    }
  } catch {
    // The receiver has decided by its status.
  }
  return text.slice(0, longestDetail).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ');
}

const codes: Readonly<Record<string, string>> = {
  TimeoutError: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  ETIMEOUT: 'TIMEOUT',
  ENODATA: 'ENOTFOUND',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'TOO_LARGE',
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'INVALID_RESPONSE',
  HTTPParserError: 'INVALID_RESPONSE',
};

function faultCode(error: unknown): string {
  const code = networkErrorCode(error);
  return codes[code] ?? (code.startsWith('HPE_') ? 'INVALID_RESPONSE' : code);
}
