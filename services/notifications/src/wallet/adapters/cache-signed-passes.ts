import type { PassState } from '../rules/pass-state.ts';

/** Editions kept at most: some megabytes, and more passes than phones ask for at once. */
const mostKept = 500;

/**
 * Signs each edition of a pass once, however many phones ask for it: signing holds up the whole process. A pass that has changed in
 * anything it shows is signed anew. The pass that was asked for longest ago makes way.
 */
export function signOnce(sign: (pass: PassState) => Buffer): (pass: PassState) => Buffer {
  const kept = new Map<string, { readonly shown: string; readonly bundle: Buffer }>();
  return (pass) => {
    const shown = JSON.stringify(pass);
    const before = kept.get(pass.serial);
    const edition = before?.shown === shown ? before : { shown, bundle: sign(pass) };
    kept.delete(pass.serial);
    kept.set(pass.serial, edition);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return edition.bundle;
  };
}
