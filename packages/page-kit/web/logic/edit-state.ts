import { type Conflict, isSame, mergeEdits, valueAt, withValueAt } from './merge.ts';

export interface Versioned<T> {
  readonly version: number;
  readonly object: T;
}

/**
 * The edit of an object: the version that the draft is based on, and the draft. Nothing can be saved while there are conflicts.
 * `changedSince` is the version before the first change by another person that was not acknowledged; null for none.
 */
export interface EditState<T> {
  readonly version: number;
  readonly saved: T;
  readonly draft: T;
  readonly conflicts: readonly Conflict[];
  readonly changedSince: number | null;
}

export const isDirty = <T>({ saved, draft }: EditState<T>): boolean => !isSame(saved, draft);

/** Begins an edit of an object as it was read, or resumes one that the tab has stored. */
export const beginEdit = <T>(read: Versioned<T>, kept: EditState<T> | null): EditState<T> =>
  kept === null
    ? { version: read.version, saved: read.object, draft: read.object, conflicts: [], changedSince: null }
    : applyRead(kept, read);

/** Moves an edit to a newer version. The person's changes stay; a place that both have changed becomes a conflict. */
export function applyRead<T>(state: EditState<T>, { version, object }: Versioned<T>): EditState<T> {
  if (version <= state.version) return state;
  const { merged, conflicts } = mergeEdits(state.saved, state.draft, object);
  const open = state.conflicts
    .filter(({ path }) => !conflicts.some((other) => isSame(other.path, path)))
    .map(({ path }) => ({ path, mine: valueAt(merged, path), theirs: valueAt(object, path) }))
    .filter(({ mine, theirs }) => !isSame(mine, theirs));
  return {
    version,
    saved: object,
    draft: merged,
    conflicts: [...open, ...conflicts],
    changedSince: state.changedSince ?? state.version,
  };
}

/** Moves an edit to the version that was saved. Edits made while the request was under way stay. */
export const applySaved = <T>(state: EditState<T>, { version, object }: Versioned<T>, sent: T): EditState<T> => ({
  version,
  saved: object,
  draft: mergeEdits(sent, state.draft, object).merged,
  conflicts: [],
  changedSince: state.changedSince,
});

export function decide<T>(state: EditState<T>, decided: readonly Conflict[], by: 'mine' | 'theirs'): EditState<T> {
  const draft = by === 'mine' ? state.draft : decided.reduce((object, { path, theirs }) => withValueAt(object, path, theirs), state.draft);
  return { ...state, draft, conflicts: state.conflicts.filter((conflict) => !decided.includes(conflict)) };
}

export const discard = <T>(state: EditState<T>): EditState<T> => ({ ...state, draft: state.saved, conflicts: [] });
