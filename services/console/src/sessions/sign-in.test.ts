import { randomBytes } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CompactEncrypt } from 'jose';
import { choose } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const session = '__Host-corner';
let aheadMs = 0;
let tested: TestConsole;

beforeAll(async () => {
  tested = await startTestConsole({ now: () => new Date(Date.now() + aheadMs) });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await tested[Symbol.asyncDispose]();
});

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { error: { code: string } }).error.code];

describe('signing in', () => {
  test('asks with PKCE, state and nonce, and ends on a page that begins a navigation of its own', async () => {
    const browser = tested.open();
    const began = await browser.get('/sign-in?to=/stories/S1-1');
    expect(began.status).toBe(303);
    const asked = new URL(began.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect([asked.get('state'), asked.get('nonce'), asked.get('code_challenge')].every((value) => (value?.length ?? 0) > 20)).toBe(true);
    expect(began.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-corner-sign-in-[\w-]{8}=.*; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const landed = await browser.signIn('olu', '/stories/S1-1?tab=events');
    expect(landed.status).toBe(200);
    expect(await landed.text()).toContain('content="0;url=/stories/S1-1?tab=events"');
    expect(landed.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^__Host-corner=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/),
    );
    const me = (await (await browser.get('/api/me')).json()) as Record<string, unknown>;
    expect(me).toMatchObject({ kind: 'operator', permissions: ['operator:read', 'operator:act', 'operator:payload'], stores: [] });
  });

  test('goes on to no other server', async () => {
    for (const to of ['//evil.example/', 'https://evil.example/', '/\\evil.example', '/x/..//evil.example']) {
      const landed = await tested.open().signIn('pia', to);
      expect(await landed.text()).toContain('content="0;url=/"');
    }
  });

  test.each([
    ['another state', 400, (back: URL) => back.searchParams.set('state', 'another-state')],
    ['a state that only begins like its own', 403, (back: URL) => back.searchParams.append('state', 'x')],
    ['a made-up code', 403, (back: URL) => back.searchParams.set('code', 'made-up')],
  ])('is refused with %s', async (_what, status, change) => {
    const browser = tested.open();
    const back = await choose((await browser.get('/sign-in')).headers.get('location') ?? '', 'olu');
    change(back);
    const refused = await browser.get(`${back.pathname}${back.search}`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await refused.text()).toContain('You are not signed in');
    expect(tested.lines.at(-2)).toContain('a person was not signed in');
    expect(browser.cookies.has(session)).toBe(false);
  });

  test('fails on a page, and in the log, while the provider is away', async () => {
    const browser = tested.open();
    const back = await choose((await browser.get('/sign-in')).headers.get('location') ?? '', 'olu');
    tested.wayToIssuer.cut();
    const failed = await browser.get(`${back.pathname}${back.search}`);
    expect([failed.status, failed.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await failed.text()).toContain('The sign-in provider does not respond.');
    const { checks } = (await (await browser.get('/readyz')).json()) as { checks: Record<string, string> };
    expect(checks.provider).not.toBe('ok');
    tested.wayToIssuer.mend();
    await browser.signIn('olu');
    expect((await (await browser.get('/readyz')).json()) as object).toMatchObject({ checks: { provider: 'ok' } });
  });

  test('works in two tabs at once, and a browser keeps few of those that were not ended', async () => {
    const browser = tested.open();
    const began = [await browser.get('/sign-in?to=/a'), await browser.get('/sign-in?to=/b')];
    for (const [index, to] of ['/a', '/b'].entries()) {
      const back = await choose(began[index]?.headers.get('location') ?? '', 'pia');
      expect(await (await browser.get(`${back.pathname}${back.search}`)).text()).toContain(`content="0;url=${to}"`);
    }
    for (let count = 0; count < 20; count += 1) await browser.get('/sign-in');
    expect(browser.cookies.size).toBeLessThan(10);
  });

  test('is refused to a browser that did not begin it, and when the code belongs to another nonce', async () => {
    const [began, other] = [tested.open(), tested.open()];
    const page = new URL((await began.get('/sign-in')).headers.get('location') ?? '');
    const back = await choose(page.href, 'olu');
    expect((await other.get(`${back.pathname}${back.search}`)).status).toBe(400);
    page.searchParams.set('nonce', 'that-of-another');
    const late = await choose(page.href, 'olu');
    expect((await began.get(`${late.pathname}${late.search}`)).status).toBe(403);
    expect(began.cookies.has(session)).toBe(false);
  });
});

describe('a session', () => {
  test('cannot be forged: another key, another purpose and a changed character are no session', async () => {
    const browser = tested.open();
    await browser.signIn('olu');
    const genuine = browser.cookies.get(session) ?? '';
    const value = new TextEncoder().encode(JSON.stringify({ token: 'x', until: Date.now() + 60_000 }));
    const forged = await new CompactEncrypt(value)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'corner-session' })
      .encrypt(randomBytes(32));
    await browser.get('/sign-in');
    const otherPurpose = [...browser.cookies].find(([name]) => name.startsWith('__Host-corner-sign-in-'))?.[1] ?? '';
    const changed = genuine.slice(0, -3) + (genuine.at(-3) === 'A' ? 'B' : 'A') + genuine.slice(-2);
    for (const cookie of [forged, otherPurpose, changed, '', 'nonsense', '....']) {
      browser.cookies.set(session, cookie);
      expect(await codeOf(await browser.get('/api/me'))).toEqual([401, 'UNAUTHENTICATED']);
    }
    browser.cookies.set(session, genuine);
    expect((await browser.get('/api/me')).status).toBe(200);
  });

  test('lives on by refresh tokens, also for requests at once, and ends after twelve hours', async () => {
    const browser = tested.open();
    await browser.signIn('cy');
    aheadMs = 20 * 60_000;
    const replies = await Promise.all([browser.get('/api/me'), browser.get('/api/me'), browser.get('/api/me')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    aheadMs = 40 * 60_000;
    expect((await browser.get('/api/me')).status).toBe(200);
    aheadMs = 12 * 3_600_000 + 1;
    expect(await codeOf(await browser.get('/api/me'))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('goes on with its token while the provider is away, and waits for the provider when the token has ended', async () => {
    const browser = tested.open();
    await browser.signIn('cy');
    tested.wayToIssuer.cut();
    aheadMs = 15 * 60_000 - 30_000;
    expect((await browser.get('/api/me')).status).toBe(200);
    aheadMs = 15 * 60_000;
    expect(await codeOf(await browser.get('/api/me'))).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    tested.wayToIssuer.mend();
    await until(async () => (await browser.get('/api/me')).status === 200, { describe: 'the session to go on' });
  });

  test('ends when the person signs out, here and at the provider, and only a page of the console can do that', async () => {
    const browser = tested.open();
    await browser.signIn('bo');
    const kept = browser.cookies.get(session) ?? '';
    for (const origin of ['https://evil.example', 'null'])
      expect(await codeOf(await browser.post('/sign-out', undefined, { origin }))).toEqual([403, 'FOREIGN_ORIGIN']);
    const without = await fetch(`${tested.running.url}/sign-out`, { method: 'POST', headers: { cookie: `${session}=${kept}` } });
    expect(await codeOf(without)).toEqual([403, 'FOREIGN_ORIGIN']);
    expect((await browser.get('/api/me')).status).toBe(200);
    const { to } = (await (await browser.post('/sign-out')).json()) as { to: string };
    expect(new URL(to).origin).toBe(tested.issuer.url);
    expect(browser.cookies.has(session)).toBe(false);
    browser.cookies.set(session, kept);
    expect((await browser.get('/api/me')).status).toBe(401);
  });
});

test('no token, cookie or name is logged', async () => {
  const browser = tested.open();
  await browser.signIn('bo');
  await browser.get('/api/me');
  const lines = tested.lines.join('');
  expect(lines).toContain('GET /sign-in/callback');
  for (const secret of [...browser.cookies.values(), 'code=', 'made-up', 'eyJ', '"Bo"']) expect(lines).not.toContain(secret);
});
