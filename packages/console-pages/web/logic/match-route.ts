import { parse } from 'regexparam';

export interface Match<R> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

export function matchRoute<R extends { readonly path: string }>(routes: readonly R[], path: string): Match<R> | undefined {
  for (const route of routes) {
    const { keys, pattern } = parse(route.path);
    const found = pattern.exec(path);
    if (found) return { route, params: Object.fromEntries(keys.map((key, index) => [key, decode(found[index + 1] ?? '')])) };
  }
  return undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export const pathOf = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(/:([a-z]+)/gi, (_, name: string) => encodeURIComponent(params[name] ?? ''));

export const isOfStore = (path: string): boolean => !/:(?!storeId\b)/.test(path);
