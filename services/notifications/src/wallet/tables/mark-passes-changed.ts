import { sql } from 'slonik';

/**
 * Begins an update that marks passes as changed. Each version of a pass is dated at least a second after the one before. `changed_at` is
 * the first change that has no update tag yet.
 */
export const markPassesChanged = (now: Date) => sql.fragment`
  update pass
  set modified_at = greatest(date_trunc('second', ${now.toISOString()}::timestamptz), pass.modified_at + interval '1 second'),
      changed_at = coalesce(pass.changed_at, ${now.toISOString()}::timestamptz)`;
