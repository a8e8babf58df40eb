import type { Break } from './breaks.ts';

/** Breaks that the next release makes on purpose: the sentence of the check, and why no one is left who depends on it. */
export const allowedBreaks: readonly { readonly break: Break; readonly why: string }[] = [];
