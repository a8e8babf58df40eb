import { sql } from 'slonik';

/**
 * Begins an update that marks passes as changed: their edition’s second is later than the last one’s, and the first change since
 * the last telling starts the wait.
 */
export const markChanged = (at: Date) => sql.fragment`
  update pass
  set modified_at = greatest(date_trunc('second', ${at.toISOString()}::timestamptz), pass.modified_at + interval '1 second'),
      changed_at = coalesce(pass.changed_at, ${at.toISOString()}::timestamptz)`;
