import { z } from 'zod';
import { isPlainLine, notAPlainLine } from './plain.ts';

/** A name that someone types: one plain line of at most so many characters. */
export const typedName = (most: number) => z.string().trim().min(1).max(most).refine(isPlainLine, { error: notAPlainLine });
