import { outcomeOf } from '@corner/client';
import { type EditState, isDirty } from '@corner/page-kit/logic/edit-state';
import {
  type Editing,
  type EditingEffect,
  type EditingEvent,
  type FieldErrors,
  nothingRead,
  stepEditing,
} from '@corner/page-kit/logic/editing';
import { runMachine } from '@corner/page-kit/logic/machine';
import type { Conflict } from '@corner/page-kit/logic/merge';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import { usePage, useStore } from '../../../shell/context.ts';
import { forgetDraft, keepDraft, readDraft } from '../../../shell/drafts.ts';
import { queries, useRead } from '../../../shell/queries.ts';
import { sendTo } from '../send.ts';
import { type Bound, boundTo } from './bound.ts';
import type { ObjectOf, ReplyOf } from './directory-objects.ts';
import { fieldErrorsOf } from './field-errors.ts';

export interface Edited<T> {
  readonly of: ObjectOf<T>;
  readonly read: UseQueryResult<ReplyOf<T>, RequestFailed>;
  readonly state: EditState<T> | undefined;
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly failure: unknown;
  readonly errors: FieldErrors;
  bind<K extends keyof T & string>(field: K): Bound<T[K]>;
  set(changes: Partial<T>): void;
  save(): Promise<boolean>;
  discard(): void;
  decide(conflicts: readonly Conflict[], by: 'mine' | 'theirs'): void;
  acknowledge(): void;
}

/**
 * Reads an object of the store with its version and edits a draft of it. The draft survives a reload. It is saved with the version that it
 * is based on and moves to newer ones as they come; the person decides conflicts with another person. A repeated save after a lost response
 * is made once. `lockedFields` are those that the person may not change.
 */
export function useObject<T extends object>(of: ObjectOf<T>, lockedFields: (field: string) => boolean = () => false): Edited<T> {
  const { id: storeId } = useStore();
  const path = of.path(storeId);
  const read = useRead<ReplyOf<T>>(path, { readAgainFor: { types: [of.kind], subjects: [storeId] } });
  const { editing, dispatch, save } = useEditing({ of, path, read });
  const { edit, sent, failure, faults } = editing;
  const errors = { ...failure?.errors, ...faults };
  const set = (changes: Partial<T>) => dispatch({ type: 'typed', changes });
  return {
    of,
    read,
    errors,
    set,
    save,
    state: edit ?? undefined,
    busy: sent !== null,
    failure: failure?.error,
    dirty: edit !== null && isDirty(edit),
    bind: (field) =>
      boundTo({
        value: (edit as EditState<T>).draft[field],
        path: field,
        errors,
        locked: lockedFields(field),
        set: (value) => set({ [field]: value } as unknown as Partial<T>),
        setFault: (at, text) => dispatch({ type: 'fault', path: at, text }),
      }),
    discard: () => dispatch({ type: 'discard' }),
    decide: (conflicts, by) => dispatch({ type: 'decide', conflicts, by }),
    acknowledge: () => dispatch({ type: 'acknowledge' }),
  };
}

type Source<T> = Pick<Edited<T>, 'of' | 'read'> & { readonly path: string };

function useEditing<T extends object>({ of, path, read }: Source<T>) {
  const person = usePage().me.subject;
  const [editing, show] = useState<Editing<T>>(nothingRead);
  const saving = useRef<Promise<boolean>>(undefined);
  const carryOut = (effect: EditingEffect<T>, dispatch: (event: EditingEvent<T>) => void): void => {
    if (effect.do === 'send') saving.current = sendEdit({ of, path, read }, effect.edit, dispatch);
    else if (effect.do === 'say that it is saved') announce(`${of.title} saved.`);
    else if (effect.do === 'read again') void read.refetch();
    else if (effect.do === 'keep draft') keepDraft(person, path, effect.edit);
    else forgetDraft(person, path);
  };
  const latest = useRef(carryOut);
  latest.current = carryOut;
  const [machine] = useState(() =>
    runMachine<Editing<T>, EditingEvent<T>, EditingEffect<T>>(nothingRead, stepEditing, {
      carryOut: (effect, dispatch) => latest.current(effect, dispatch),
      changed: show,
    }),
  );
  const { send: dispatch } = machine;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the machine stays, and the draft is that of the path
  useEffect(() => {
    if (read.data) dispatch({ type: 'read', current: versioned(of, read.data), kept: readDraft<EditState<T>>(person, path) });
  }, [read.data]);
  const save = async (): Promise<boolean> => {
    if (machine.state().sent !== null) return false;
    saving.current = undefined;
    dispatch({ type: 'save' });
    const { edit } = machine.state();
    return (await saving.current) ?? (edit !== null && !isDirty(edit));
  };
  return { editing, dispatch, save };
}

const versioned = <T>({ kind }: ObjectOf<T>, reply: ReplyOf<T>) => ({ version: reply.version, object: reply[kind] as T });

async function sendEdit<T>(
  { of, path, read }: Source<T>,
  { saved, draft, version }: EditState<T>,
  dispatch: (event: EditingEvent<T>) => void,
): Promise<boolean> {
  const body = of.changes(saved, draft);
  try {
    const reply = await sendTo<ReplyOf<T>>('PATCH', path, { of: path, body, match: version });
    dispatch({ type: 'saved', current: versioned(of, reply) });
    queries.setQueryData([path], reply);
    return true;
  } catch (error) {
    const isOutrun = error instanceof RequestFailed && error.code === 'VERSION_CONFLICT';
    if (isOutrun) await read.refetch();
    dispatch(
      isOutrun
        ? { type: 'outrun' }
        : { type: 'failed', error, errors: fieldErrorsOf(error, body), isUnknown: outcomeOf(error) === 'unknown' },
    );
    return false;
  }
}
