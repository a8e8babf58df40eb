import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type SecureClientSessionOptions } from 'node:http2';
import { text } from 'node:stream/consumers';
import { importPKCS8, SignJWT } from 'jose';

type Environment = Readonly<Record<string, string>>;

export async function providerToken(
  environment: Environment,
  iat: number,
  fault: { key?: string; kid?: string; iss?: string } = {},
): Promise<string> {
  const key = fault.key ?? readFileSync(environment.APNS_KEY_FILE ?? '', 'utf8');
  return await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: fault.kid ?? environment.APNS_KEY_ID ?? '' })
    .setIssuer(fault.iss ?? environment.APNS_TEAM_ID ?? '')
    .setIssuedAt(iat)
    .sign(await importPKCS8(key, 'ES256'));
}

export function connectToApns(environment: Environment, options: SecureClientSessionOptions = {}): ClientHttp2Session {
  const session = connect(`https://${environment.APNS_ADDRESS}`, { ca: readFileSync(environment.APNS_CA_FILE ?? ''), ...options });
  session.on('error', () => {});
  return session;
}

export interface Pushed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly reason: string; readonly timestamp?: number } | null;
}

export async function push(
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string | undefined>,
  body: string,
): Promise<Pushed> {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const request = session.request({ ':method': 'POST', ':path': path, ...given });
  const headersReceived = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Error('the connection was lost')));
  });
  request.end(body);
  const reply = await headersReceived;
  const received = await text(request);
  return { status: Number(reply[':status']), headers: reply, body: received === '' ? null : JSON.parse(received) };
}
