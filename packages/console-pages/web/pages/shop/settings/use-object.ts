import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Conflict } from '@corner/page-kit/logic/merge';
import { mayBeDone, RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import { usePage, useStore } from '../../../shell/context.ts';
import { forgetDraft, keepDraft, readDraft } from '../../../shell/drafts.ts';
import { queries, useRead } from '../../../shell/queries.ts';
import { send } from '../send.ts';
import { type Bound, boundTo } from './bound.ts';
import type { ObjectOf, ReplyOf } from './directory-objects.ts';
import { applyRead, applySaved, beginEdit, decide, discard, type EditState, isDirty, type Versioned } from '@corner/page-kit/logic/edit-state';
import { type FieldErrors, fieldErrorsOf } from './field-errors.ts';

/** An object of the directory that a page edits: what is saved, the draft, and what was refused or changed meanwhile. */
export interface Edited<T> {
  readonly of: ObjectOf<T>;
  readonly read: UseQueryResult<ReplyOf<T>, RequestFailed>;
  /** Undefined until the object was read. */
  readonly state: EditState<T> | undefined;
  readonly dirty: boolean;
  readonly busy: boolean;
  /** Why the last save failed; undefined after one that did not. */
  readonly failure: unknown;
  readonly errors: FieldErrors;
  /** A field of the draft, for the controls of a form. */
  bind<K extends keyof T & string>(field: K): Bound<T[K]>;
  /** Changes fields of the draft. */
  set(changes: Partial<T>): void;
  /** Returns whether everything is saved now. */
  save(): Promise<boolean>;
  discard(): void;
  decide(conflicts: readonly Conflict[], by: 'mine' | 'theirs'): void;
  /** The person has seen what others changed. */
  acknowledge(): void;
}

/**
 * Reads an object of the store with its version and edits a draft of it. The draft outlives a reload. It is saved with the version that it was made
 * to and moves to newer ones as they come; what two people have changed is decided by the person. A repeated save after a lost response is made
 * once. `lockedFields` are those that the person may not change.
 */
export function useObject<T extends object>(of: ObjectOf<T>, lockedFields: (field: string) => boolean = () => false): Edited<T> {
  const { id: storeId } = useStore();
  const person = usePage().me.subject;
  const path = of.path(storeId);
  const read = useRead<ReplyOf<T>>(path, { readAgainFor: { types: [of.kind], subjects: [storeId] } });
  const [state, setState] = useState<EditState<T>>();
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly errors: FieldErrors; readonly version: number }>();
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<FieldErrors>({});
  const dirty = state !== undefined && isDirty(state);

  const newest = useRef<Versioned<T>>(undefined);
  newest.current = read.data && { version: read.data.version, object: read.data[of.kind] as T };
  const takeRead = () =>
    setState((before) => {
      const { current } = newest;
      if (current === undefined) return before;
      return before === undefined ? beginEdit(current, readDraft<EditState<T>>(person, path)) : applyRead(before, current);
    });
  // A change that arrives while the draft is being saved may be that very save: its response comes first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the refs and the setter stay
  useEffect(() => {
    if (!busy) takeRead();
  }, [read.data, busy]);
  useEffect(() => {
    if (state && isDirty(state)) keepDraft(person, path, state);
    else if (state) forgetDraft(person, path);
    if (!failure || !state || isDirty(state)) return;
    setFailure(undefined);
    // The response was lost, and a read has found what was saved.
    if (mayBeDone(failure.error) && state.version !== failure.version) announce(`${of.title} saved.`);
  }, [state, failure, person, path, of.title]);

  const refuse = (error: unknown, body: unknown, version: number) => setFailure({ error, errors: fieldErrorsOf(error, body), version });
  const save = async (): Promise<boolean> => {
    if (state === undefined || busy) return false;
    if (!dirty) return true;
    if (state.conflicts.length > 0 || Object.keys(faults).length > 0) return false;
    const body = of.changes(state.saved, state.draft);
    setBusy(true);
    setFailure(undefined);
    try {
      const reply = await send<ReplyOf<T>>({ of: path, method: 'PATCH', path, body, match: state.version });
      setState((now) => now && applySaved(now, { version: reply.version, object: reply[of.kind] as T }, state.draft));
      queries.setQueryData([path], reply);
      announce(`${of.title} saved.`);
      return true;
    } catch (error) {
      if (error instanceof RequestFailed && error.code === 'VERSION_CONFLICT') await read.refetch();
      else refuse(error, body, state.version);
      if (mayBeDone(error)) void read.refetch();
      return false;
    } finally {
      setBusy(false);
    }
  };

  const change = (next: (now: EditState<T>) => EditState<T>) => setState((now) => now && next(now));
  const set = (changes: Partial<T>) => change((now) => ({ ...now, draft: { ...now.draft, ...changes } }));
  const errors = { ...failure?.errors, ...faults };
  return {
    ...{ of, read, state, dirty, busy, failure: failure?.error, errors, set, save },
    bind: (field) =>
      boundTo({
        value: (state as EditState<T>).draft[field],
        path: field,
        errors,
        locked: lockedFields(field),
        set: (value) => set({ [field]: value } as unknown as Partial<T>),
        setFault: (at, text) => setFaults((before) => withFault(before, at, text)),
      }),
    discard() {
      setFaults({});
      setFailure(undefined);
      change(discard);
    },
    decide: (conflicts, by) => change((now) => decide(now, conflicts, by)),
    acknowledge: () => change((now) => ({ ...now, changedSince: null })),
  };
}

function withFault(faults: FieldErrors, path: string, text: string | null): FieldErrors {
  const { [path]: _before, ...others } = faults;
  return text === null ? others : { ...others, [path]: text };
}
