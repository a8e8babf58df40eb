import { type Conflict, isSame, mergeEdits, valueAt, withValueAt } from './merge.ts';

/** An object with its version, as a read returns it. */
export interface Versioned<T> {
  readonly version: number;
  readonly object: T;
}

/** The edit of an object: the version that it began from or was moved to, and what the person has made of it. */
export interface EditState<T> {
  readonly version: number;
  readonly saved: T;
  readonly draft: T;
  /** Places that another person has changed meanwhile as well. Until each is decided, nothing can be saved. */
  readonly conflicts: readonly Conflict[];
  /** The version before the first change by another person that was not acknowledged; null for none. */
  readonly changedSince: number | null;
}

export const isDirty = <T>({ saved, draft }: EditState<T>): boolean => !isSame(saved, draft);

/** Begins an edit of an object as it was read, or goes on with one that the tab has kept. */
export const beginEdit = <T>(read: Versioned<T>, kept: EditState<T> | null): EditState<T> =>
  kept === null
    ? { version: read.version, saved: read.object, draft: read.object, conflicts: [], changedSince: null }
    : applyRead(kept, read);

/** Moves an edit to a newer version. What the person has changed stays; what both have changed becomes a conflict. */
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

/** Moves an edit to what was saved of it. What was edited while the request was sent stays. */
export const applySaved = <T>(state: EditState<T>, { version, object }: Versioned<T>, sent: T): EditState<T> => ({
  version,
  saved: object,
  draft: mergeEdits(sent, state.draft, object).merged,
  conflicts: [],
  changedSince: state.changedSince,
});

/** Decides a conflict, or all of them. */
export function decide<T>(state: EditState<T>, decided: readonly Conflict[], by: 'mine' | 'theirs'): EditState<T> {
  const draft = by === 'mine' ? state.draft : decided.reduce((object, { path, theirs }) => withValueAt(object, path, theirs), state.draft);
  return { ...state, draft, conflicts: state.conflicts.filter((conflict) => !decided.includes(conflict)) };
}

/** Returns to what is saved. */
export const discard = <T>(state: EditState<T>): EditState<T> => ({ ...state, draft: state.saved, conflicts: [] });
