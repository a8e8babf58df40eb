/** The route of a path, and the values of its `:parameters`. */
export interface Match<R> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

/** The first route whose pattern, such as `/story/:id`, the path fits. */
export function matchRoute<R extends { readonly path: string }>(routes: readonly R[], pathname: string): Match<R> | undefined {
  const given = partsOf(pathname);
  for (const route of routes) {
    const params = matchParts(partsOf(route.path), given);
    if (params) return { route, params };
  }
  return undefined;
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

function matchParts(pattern: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = decode(given[index] ?? '');
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The path of a route with values in place of its `:parameters`: `pathOf('/story/:id', { id })`. */
export const pathOf = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(/:([a-z]+)/gi, (_, name: string) => encodeURIComponent(params[name] ?? ''));
