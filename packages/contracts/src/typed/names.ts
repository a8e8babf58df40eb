import { z } from 'zod';
import { isPlainLine, notAPlainLine } from './plain.ts';

export const typedName = (most: number) => z.string().trim().min(1).max(most).refine(isPlainLine, { error: notAPlainLine });
