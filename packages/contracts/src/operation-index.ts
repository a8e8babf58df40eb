import type { AnyOperation } from './operation.ts';

/** Finds an operation by path as the services do: ignoring case and one trailing slash. */
export function indexOperations(contracts: readonly AnyOperation[]): FindOperation {
  const literal = new Map<string, AnyOperation>();
  const patterns: { readonly method: string; readonly pattern: RegExp; readonly operation: AnyOperation }[] = [];
  // Sorted by path, a literal segment comes before a parameter in its place, as in the services.
  for (const operation of contracts.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const { method, path } = operation;
    if (path.includes('{')) patterns.push({ method, pattern: patternOf(path), operation });
    else literal.set(`${method} ${path.toLowerCase()}`, operation);
  }
  return (requestMethod, pathname) => {
    // Services serve HEAD with the headers of GET.
    const method = requestMethod === 'HEAD' ? 'GET' : (requestMethod ?? '');
    const path = pathname.toLowerCase().replace(/\/$/, '');
    return (
      literal.get(`${method} ${path}`) ??
      patterns.find((candidate) => candidate.method === method && candidate.pattern.test(path))?.operation
    );
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.toLowerCase().replaceAll(/\{\w+\}|[.*+?^$()|[\]\\]/g, (part) => (part.startsWith('{') ? '[^/]+' : `\\${part}`))}$`);

export type FindOperation = (method: string | undefined, pathname: string) => AnyOperation | undefined;
