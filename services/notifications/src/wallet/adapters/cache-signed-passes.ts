import type { CompletePass } from '../rules/pass-state.ts';

/** Bundles kept: some megabytes, and more passes than phones request at once. */
const maxCached = 500;

/**
 * Caches signed bundles, because signing blocks the whole process. A pass that differs in anything it shows is signed again. When the cache
 * is full, the least recently used bundle is dropped.
 */
export function cacheSignedPasses(sign: (pass: CompletePass) => Buffer): (pass: CompletePass) => Buffer {
  const cache = new Map<string, { readonly content: string; readonly bundle: Buffer }>();
  return (pass) => {
    const content = JSON.stringify(pass);
    const cached = cache.get(pass.serial);
    const current = cached?.content === content ? cached : { content, bundle: sign(pass) };
    cache.delete(pass.serial);
    cache.set(pass.serial, current);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return current.bundle;
  };
}
