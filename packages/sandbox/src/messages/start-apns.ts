import { type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createSecureServer, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { errors, jwtVerify } from 'jose';
import { type ApnsPush, ApnsRefusal, readApnsHead, readApnsPush } from './apns-request.ts';
import type { Deliver } from './inbox.ts';
import type { MessageFaults } from './message-faults.ts';

interface ApnsOptions {
  readonly host: string;
  readonly port: number;
  readonly fd?: number | undefined;
  readonly certificate: { readonly cert: string; readonly key: string; readonly authority: string };
  readonly key: ApnsKey;
  readonly topic: string;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
  readonly now: () => Date;
  readonly report: (error: unknown) => void;
}

interface RunningApns extends AsyncDisposable {
  readonly port: number;
}

export async function startApns(options: ApnsOptions): Promise<RunningApns> {
  const { cert, key, authority } = options.certificate;
  const sessions = new Set<Http2Session>();
  const reply = createReply(options);
  const server = createSecureServer({ cert, key, ca: authority, requestCert: true, rejectUnauthorized: false });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    reply(stream, headers).catch((error: unknown) => {
      if (!stream.aborted) options.report(error);
      stream.close();
    });
  });
  server.listen(options.fd === undefined ? { port: options.port, host: options.host } : { fd: options.fd });
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

function createReply(options: ApnsOptions) {
  const admit = createAdmission(options);

  return async function reply(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const given = headers['apns-id'];
    const id = typeof given === 'string' ? given : randomUUID().toUpperCase();
    const respond = (status: number, body?: object) => {
      if (stream.destroyed) return;
      stream.respond({ ':status': status, 'apns-id': id, ...(body ? { 'content-type': 'application/json' } : {}) });
      stream.end(body ? JSON.stringify(body) : undefined);
    };
    try {
      const body = await buffer(stream);
      const head = readApnsHead(headers, options.topic);
      await admit(stream, headers, head.topic);
      if (take(readApnsPush(head, body), headers, options) === 'lost') stream.session?.destroy();
      else respond(200);
    } catch (error) {
      if (!(error instanceof ApnsRefusal)) throw error;
      respond(error.status, { reason: error.reason, ...(error.since ? { timestamp: error.since.getTime() } : {}) });
    }
  };
}

const sameTokenFor = 20 * 60;

/**
 * A connection must keep its provider token for 20 minutes before it may show a newer one. A provider token is valid for every topic of its
 * team, a certificate for the topic it was issued for.
 */
function createAdmission({ key, now }: ApnsOptions) {
  const shown = new WeakMap<Http2Session, number>();

  return async function admit({ session }: ServerHttp2Stream, headers: IncomingHttpHeaders, topic: string): Promise<void> {
    if (!session) return;
    const socket = session.socket as TLSSocket;
    if (!headers.authorization && socket.authorized) {
      if (socket.getPeerCertificate().subject.CN === `Pass Type ID: ${topic}`) return;
      throw new ApnsRefusal(400, 'TopicDisallowed');
    }
    const issuedAt = await judgeProviderToken(headers.authorization, key, now());
    if (typeof issuedAt === 'string') throw new ApnsRefusal(403, issuedAt);
    const earlier = shown.get(session);
    if (earlier !== undefined && issuedAt !== earlier && issuedAt - earlier < sameTokenFor)
      throw new ApnsRefusal(429, 'TooManyProviderTokenUpdates');
    shown.set(session, issuedAt);
  };
}

function take(push: ApnsPush, headers: IncomingHttpHeaders, { faults, deliver, now }: ApnsOptions): 'lost' | 'taken' {
  const gone = faults.droppedAt(push.device);
  if (gone) throw new ApnsRefusal(410, 'Unregistered', gone);
  const fault = faults.take('apns', push.device);
  if (fault?.how === 'unavailable') throw new ApnsRefusal(503, 'ServiceUnavailable');
  if (fault?.how === 'too_many') throw new ApnsRefusal(429, 'TooManyRequests');
  if (fault?.how === 'refused') throw new ApnsRefusal(410, 'Unregistered', now());
  if (fault?.how === 'hang_up') return 'lost';
  deliver(messageOf(push, headers));
  return fault?.how === 'hang_up_after' ? 'lost' : 'taken';
}

function messageOf(
  { device, topic, pass, title, text, data, collapseKey }: ApnsPush,
  headers: IncomingHttpHeaders,
): Parameters<Deliver>[0] {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('apns-'));
  return {
    channel: pass ? 'wallet' : 'push',
    by: 'apns',
    to: device,
    from: null,
    title: pass ? topic : title,
    text,
    html: null,
    data,
    collapseKey,
    headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  };
}

interface ApnsKey {
  readonly keyId: string;
  readonly teamId: string;
  readonly publicKey: KeyObject;
}

type TokenFault = 'MissingProviderToken' | 'InvalidProviderToken' | 'ExpiredProviderToken';

const lifetime = 3_600;
const skew = 60;

async function judgeProviderToken(header: string | undefined, key: ApnsKey, now: Date): Promise<number | TokenFault> {
  const token = /^bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (!token) return 'MissingProviderToken';
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
      algorithms: ['ES256'],
      issuer: key.teamId,
      requiredClaims: ['iat'],
      currentDate: now,
    });
    const age = now.getTime() / 1_000 - (payload.iat ?? 0);
    if (protectedHeader.kid !== key.keyId || age < -skew) return 'InvalidProviderToken';
    return age > lifetime ? 'ExpiredProviderToken' : (payload.iat ?? 0);
  } catch (error) {
    if (error instanceof errors.JOSEError) return 'InvalidProviderToken';
    throw error;
  }
}
