import { applyRead, applySaved, beginEdit, decide, discard, type EditState, isDirty, type Versioned } from './edit-state.ts';
import type { Step } from './machine.ts';
import type { Conflict } from './merge.ts';

/** Errors of fields, by their dotted paths in the object: `hours.0.opens`. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * An object that a person edits while others may. `edit` is null until the object was read, `sent` while no save runs. `newest` was read
 * during a save, and may be that very save, whose response comes first. `failure` is the last save's, which may have been made if
 * `isUnknown`. `faults` are typed texts that are not values.
 */
export interface Editing<T> {
  readonly edit: EditState<T> | null;
  readonly newest: Versioned<T> | null;
  readonly sent: EditState<T> | null;
  readonly failure: { readonly error: unknown; readonly errors: FieldErrors; readonly isUnknown: boolean; readonly version: number } | null;
  readonly faults: FieldErrors;
}

export const nothingRead: Editing<never> = { edit: null, newest: null, sent: null, failure: null, faults: {} };

export type EditingEvent<T> =
  /**
   * `kept` is the draft that the tab stored before. A `fault` without a text has been corrected. `acknowledge`: the person has seen the
   * changes of others. `outrun`: another person saved first, and their version has been read.
   */
  | { readonly type: 'read'; readonly current: Versioned<T>; readonly kept: EditState<T> | null }
  | { readonly type: 'typed'; readonly changes: Partial<T> }
  | { readonly type: 'fault'; readonly path: string; readonly text: string | null }
  | { readonly type: 'discard' }
  | { readonly type: 'decide'; readonly conflicts: readonly Conflict[]; readonly by: 'mine' | 'theirs' }
  | { readonly type: 'acknowledge' }
  | { readonly type: 'save' }
  | { readonly type: 'saved'; readonly current: Versioned<T> }
  | { readonly type: 'outrun' }
  | { readonly type: 'failed'; readonly error: unknown; readonly errors: FieldErrors; readonly isUnknown: boolean };

export type EditingEffect<T> =
  /** `send` saves the changes from `saved` to `draft`, under the version that they were made to. */
  | { readonly do: 'send'; readonly edit: EditState<T> }
  | { readonly do: 'say that it is saved' }
  | { readonly do: 'read again' }
  | { readonly do: 'keep draft'; readonly edit: EditState<T> }
  | { readonly do: 'forget draft' };

type Stepped<T> = Step<Editing<T>, EditingEffect<T>>;

/** The machine of an edit: returns its state after an event, and the effects to carry out. */
export function stepEditing<T extends object>(now: Editing<T>, event: EditingEvent<T>): Stepped<T> {
  const [after, effects] = take(now, event);
  const moved =
    after.sent === null && after.newest !== null && after.edit !== null
      ? { ...after, edit: applyRead(after.edit, after.newest), newest: null }
      : after;
  const { edit, failure } = moved;
  if (edit === null) return [moved, effects];
  const draft: readonly EditingEffect<T>[] =
    edit === now.edit ? [] : isDirty(edit) ? [{ do: 'keep draft', edit }] : [{ do: 'forget draft' }];
  if (failure === null || isDirty(edit)) return [moved, [...effects, ...draft]];
  // The response was lost, and a read has found the save.
  const isFound = failure.isUnknown && edit.version !== failure.version;
  return [{ ...moved, failure: null }, [...effects, ...draft, ...(isFound ? [{ do: 'say that it is saved' } as const] : [])]];
}

function take<T extends object>(now: Editing<T>, event: EditingEvent<T>): Stepped<T> {
  if (event.type === 'read')
    return [now.edit === null ? { ...now, edit: beginEdit(event.current, event.kept) } : { ...now, newest: event.current }, []];
  if (event.type === 'fault') return [{ ...now, faults: withFault(now.faults, event.path, event.text) }, []];
  const { edit } = now;
  if (edit === null) return [now, []];
  switch (event.type) {
    case 'typed':
      return [{ ...now, edit: { ...edit, draft: { ...edit.draft, ...event.changes } } }, []];
    case 'discard':
      return [{ ...now, edit: discard(edit), failure: null, faults: {} }, []];
    case 'decide':
      return [{ ...now, edit: decide(edit, event.conflicts, event.by) }, []];
    case 'acknowledge':
      return [{ ...now, edit: { ...edit, changedSince: null } }, []];
    case 'save':
      return maySave(now) ? [{ ...now, sent: edit, failure: null }, [{ do: 'send', edit }]] : [now, []];
    default:
      return endSave(now, edit, event);
  }
}

const maySave = <T>({ edit, sent, faults }: Editing<T>): boolean =>
  edit !== null && sent === null && isDirty(edit) && edit.conflicts.length === 0 && Object.keys(faults).length === 0;

type Ended<T> = Extract<EditingEvent<T>, { readonly type: 'saved' | 'outrun' | 'failed' }>;

function endSave<T>(now: Editing<T>, edit: EditState<T>, event: Ended<T>): Stepped<T> {
  const { sent } = now;
  if (sent === null) return [now, []];
  if (event.type === 'saved')
    return [{ ...now, sent: null, edit: applySaved(edit, event.current, sent.draft) }, [{ do: 'say that it is saved' }]];
  if (event.type === 'outrun') return [{ ...now, sent: null }, []];
  const { error, errors, isUnknown } = event;
  return [{ ...now, sent: null, failure: { error, errors, isUnknown, version: sent.version } }, isUnknown ? [{ do: 'read again' }] : []];
}

function withFault(faults: FieldErrors, path: string, text: string | null): FieldErrors {
  const { [path]: _before, ...others } = faults;
  return text === null ? others : { ...others, [path]: text };
}
