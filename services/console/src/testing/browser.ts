import { once } from 'node:events';
import { request as sendRequest } from 'node:http';

/** A browser's part of HTTP: its cookies, the Origin header, and redirects, which it returns instead of following. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  leave(path: string): Promise<void>;
  signIn(person: string, to?: string): Promise<Response>;
}

export function openBrowser(url: string, origin: string): Browser {
  const cookies = new Map<string, string>();
  const keep = (response: Response): Response => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  const cookieHeader = (): Record<string, string> =>
    cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const send = async (path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> => {
    return keep(await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { ...cookieHeader(), ...init.headers } }));
  };
  const get: Browser['get'] = (path, headers = {}) => send(path, { headers });
  return {
    cookies,
    get,
    post: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    async leave(path) {
      const request = sendRequest(`${url}${path}`, { headers: cookieHeader(), agent: false }).on('error', () => {});
      request.end();
      await once(request, 'finish');
      request.destroy();
    },
    async signIn(person, to = '/') {
      const began = await get(`/sign-in?to=${encodeURIComponent(to)}`);
      const back = await choose(began.headers.get('location') ?? '', person);
      return await get(`${back.pathname}${back.search}`);
    },
  };
}

export async function choose(page: string, person: string): Promise<URL> {
  const response = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(page).origin },
    body: new URLSearchParams({ person }),
  });
  return new URL(response.headers.get('location') ?? '');
}
