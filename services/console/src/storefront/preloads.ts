import type { Request } from 'express';
import { z } from 'zod';
import type { Hints } from '../pages/add-pages.ts';

const pages = [
  { path: /^\/s\/(?<code>[\w-]{1,32})$/, source: null, menu: true },
  { path: /^\/s\/(?<code>[\w-]{1,32})\/queue$/, source: 'pages/queue/index.tsx', menu: false },
  { path: /^\/t$/, source: 'pages/tap/index.tsx', menu: false },
] as const;

/**
 * Returns the scripts, texts and responses that the first page of a visit needs, so that a browser requests them all at once. If the
 * gateway does not reply in time, the responses are left out.
 */
export function createHints(gatewayUrl: string): Hints {
  const storeIdOf = createStoreIds(gatewayUrl);
  return async (request, lazy) => {
    const page = pages.find(({ path }) => path.test(request.path));
    if (!page) return [];
    const code = page.path.exec(request.path)?.groups?.code;
    const storeId = code === undefined ? null : await storeIdOf(code, request);
    const reads =
      storeId === null ? [] : [`/api/v1/orders/stores?code=${code}`, ...(page.menu ? [`/api/v1/orders/stores/${storeId}/menu`] : [])];
    const scripts = [...(lazy[textsOf(request, lazy)] ?? []), ...(page.source === null ? [] : (lazy[page.source] ?? []))];
    return [
      ...scripts.map((path) => `</${path}>; rel=modulepreload`),
      ...reads.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`),
    ];
  };
}

function textsOf(request: Request, lazy: Readonly<Record<string, unknown>>): string {
  const languages = Object.keys(lazy).flatMap((source) => /^texts\/(\w+)\/index\.ts$/.exec(source)?.[1] ?? []);
  return `texts/${request.acceptsLanguages(languages) || 'en'}/index.ts`;
}

const Stores = z.object({ stores: z.array(z.object({ id: z.string() })) });
const [rememberMs, waitMs, most] = [600_000, 300, 10_000];

function createStoreIds(gatewayUrl: string) {
  const known = new Map<string, Promise<string | null>>();
  const read = async (code: string, { ip }: Request): Promise<string | null> => {
    const init = { headers: ip === undefined ? {} : { 'x-forwarded-for': ip }, signal: AbortSignal.timeout(waitMs) };
    const response = await fetch(`${gatewayUrl}/api/v1/orders/stores?code=${code}`, init);
    return Stores.parse(await response.json()).stores[0]?.id ?? null;
  };
  return (code: string, request: Request): Promise<string | null> => {
    const before = known.get(code);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const found = read(code, request).catch(() => null);
    known.set(code, found);
    const forget = () => void (known.get(code) === found && known.delete(code));
    found.then((id) => (id === null ? forget() : setTimeout(forget, rememberMs).unref()), forget);
    return found;
  };
}
