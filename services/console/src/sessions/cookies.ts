import type { Request, Response } from 'express';

/** A cookie holds 4,096 bytes with its name and attributes; a longer value is spread over several. */
const partLength = 3_600;
const maxParts = 4;

export interface Cookie {
  read(request: Request): string | undefined;
  set(response: Response, value: string, maxAgeSeconds: number): void;
  clear(request: Request, response: Response): void;
}

/**
 * Returns the cookie `__Host-<name>`, which no script can read; with that prefix browsers insist on Secure, on the path / and on no domain.
 * Setting a value that is too long for the headers of a request throws.
 */
export function hostCookie(name: string, sameSite: 'Strict' | 'Lax'): Cookie {
  const nameOf = (part: number) => `__Host-${name}${part === 0 ? '' : `-${part + 1}`}`;
  const write = (response: Response, part: number, value: string, maxAgeSeconds: number) =>
    response.append('Set-Cookie', `${nameOf(part)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=${sameSite}`);
  return {
    read(request) {
      const sent = cookiesOf(request);
      const parts = Array.from({ length: maxParts }, (_, part) => sent.get(nameOf(part)) ?? '');
      // A shorter part is the last: any that follow are left over from a longer value.
      const end = parts.findIndex((part) => part.length < partLength);
      return parts.slice(0, end < 0 ? maxParts : end + 1).join('') || undefined;
    },
    set(response, value, maxAgeSeconds) {
      if (value.length > partLength * maxParts) throw new Error('the session is too long for cookies');
      for (let part = 0; part * partLength <= value.length; part += 1)
        write(response, part, value.slice(part * partLength, (part + 1) * partLength), maxAgeSeconds);
    },
    clear(request, response) {
      const sent = cookiesOf(request);
      for (let part = 0; part < maxParts; part += 1) if (part === 0 || sent.has(nameOf(part))) write(response, part, '', 0);
    },
  };
}

const mostOfAKind = 8;

/**
 * Clears the cookies with this prefix when a browser holds many of them, as after abandoned sign-ins: the headers of a request have a
 * limit.
 */
export function forgetMany(request: Request, response: Response, beginning: string): void {
  const names = [...cookiesOf(request).keys()].filter((name) => name.startsWith(`__Host-${beginning}`));
  if (names.length < mostOfAKind) return;
  for (const name of names) response.append('Set-Cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`);
}

function cookiesOf(request: Request): ReadonlyMap<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
  });
  return new Map(pairs);
}
