import type { IncomingHttpHeaders } from 'node:http';
import { errors, importJWK, jwtVerify } from 'jose';
import type { Deliver } from './inbox.ts';
import type { MessageFaults } from './message-faults.ts';
import { type Reply, unavailableFor } from './send-reply.ts';
import type { Browsers } from './web-push-browser.ts';

interface WebPushOptions {
  readonly origin: string;
  readonly browsers: Browsers;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
  readonly now: () => Date;
}

const largestBody = 4_096;
const longestSignatureSeconds = 86_400;

export function createWebPushEndpoint({ origin, browsers, faults, deliver, now }: WebPushOptions) {
  return async function push(id: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Reply> {
    const browser = browsers.find(id);
    if (!browser) return refusal(404, 'There is no such subscription.');
    const { endpoint } = browser.subscription;
    if (faults.droppedAt(endpoint)) return refusal(410, 'The subscription has expired.');
    const wrong = (await faultOfSender(headers.authorization, browser.applicationServerKey)) ?? faultOfPush(headers, body);
    if (wrong) return refusal(...wrong);

    const fault = faults.take('web-push', endpoint);
    if (fault?.how === 'unavailable') return unavailableFor(fault, refusal(503, 'The service is not available.'));
    if (fault?.how === 'too_many') return unavailableFor(fault, refusal(429, 'Too many messages.'));
    if (fault?.how === 'refused') return refusal(410, 'The subscription has expired.');
    if (fault?.how === 'hang_up') return 'lost';

    const { title, body: text, ...data } = browser.read(body) ?? { title: '(the browser cannot decrypt it)', body: '' };
    const { n } = deliver({
      channel: 'push',
      by: 'web-push',
      to: endpoint,
      from: null,
      title,
      text,
      html: null,
      data,
      collapseKey: one(headers.topic) ?? null,
      headers: Object.fromEntries(['ttl', 'urgency', 'topic'].flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))),
    });
    if (fault?.how === 'hang_up_after') return 'lost';
    return { status: 201, headers: { Location: `${origin}/web-push/messages/${n}` }, body: {} };
  };

  async function faultOfSender(authorization: string | undefined, subscribed: string): Promise<Refused | null> {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/i.exec(authorization ?? '') ?? [];
    if (token === '') return [401, 'The header Authorization must be vapid t=…, k=….'];
    if (key !== subscribed) return [403, 'The key is not the one that the browser subscribed with.'];
    const point = Buffer.from(key, 'base64url');
    const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
    try {
      const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: part(1), y: part(33) }, 'ES256');
      const options = { algorithms: ['ES256'], audience: origin, currentDate: now(), requiredClaims: ['exp', 'sub'] };
      const { payload } = await jwtVerify(token, publicKey, options);
      if (Number(payload.exp) > now().getTime() / 1000 + longestSignatureSeconds)
        return [403, 'The signature is valid for more than a day.'];
      return /^(mailto|https):/.test(String(payload.sub)) ? null : [403, 'sub must be a mailto: or https: address.'];
    } catch (error) {
      if (error instanceof errors.JOSEError) return [403, `The signature is not valid: ${error.code}.`];
      throw error;
    }
  }
}

type Refused = readonly [status: number, message: string];

function faultOfPush({ ttl, topic, urgency, 'content-encoding': encoding }: IncomingHttpHeaders, body: Buffer): Refused | null {
  if (!/^\d+$/.test(one(ttl) ?? '')) return [400, 'The header TTL must be a number of seconds.'];
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(one(topic) ?? '')) return [400, 'Topic must be at most 32 characters of base64url.'];
  if (urgency !== undefined && !/^(very-low|low|normal|high)$/.test(one(urgency) ?? '')) return [400, 'There is no such urgency.'];
  if (encoding !== 'aes128gcm') return [400, 'The header Content-Encoding must be aes128gcm.'];
  return body.length > largestBody ? [413, 'At most 4096 bytes.'] : null;
}

const one = (header: string | readonly string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined);

const refusal = (status: number, message: string) => ({ status, body: { error: { code: status, message } } });
