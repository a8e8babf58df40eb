import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { ActionButton, Icon, Linked, Loaded } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { type Unsaved, useLeaveGuard } from '../../../shell/leaving.tsx';
import { refusalText } from '../refusal-text.ts';
import { ChangeNotice } from './change-notice.tsx';
import { pathLabel } from './change-texts.ts';
import type { Edited } from './use-object.ts';

interface Props {
  // biome-ignore lint/suspicious/noExplicitAny: each object has fields of its own
  readonly of: readonly Edited<any>[];
  readonly children: () => ReactNode;
}

/** The objects are read before the form is shown, and saved together. Enter and Ctrl S save. */
export function SettingsForm({ of: edited, children }: Props) {
  const saving = useSaving(edited);
  useLeaveGuard(saving.unsaved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saving.save();
  };
  return (
    <form noValidate onSubmit={submit} ref={saving.form}>
      {edited.map((each) => (
        <ChangeNotice key={each.of.kind} edited={each} />
      ))}
      {edited.map((each) =>
        each.state === undefined ? (
          <Loaded key={each.of.kind} of={each.read}>
            {() => null}
          </Loaded>
        ) : null,
      )}
      {edited.every(({ state }) => state !== undefined) && children()}
      {saving.unsaved && <UnsavedBar edited={edited} discard={saving.unsaved.discard} />}
    </form>
  );
}

function useSaving(edited: Props['of']) {
  const form = useRef<HTMLFormElement>(null);
  const save = async () => {
    for (const each of edited) if (each.dirty && !(await each.save())) return false;
    return true;
  };
  const isUnsaved = edited.some(({ dirty, errors }) => dirty || Object.keys(errors).length > 0);
  const unsaved: Unsaved | null = isUnsaved
    ? {
        save,
        discard() {
          for (const each of edited) each.discard();
        },
      }
    : null;
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      void latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const refused = edited.filter(({ failure }) => failure !== undefined).length;
  // The person looks at the button, and the fault may be far above it.
  useEffect(() => {
    if (refused > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  return { form, save, unsaved };
}

function UnsavedBar({ edited, discard }: { readonly edited: Props['of']; readonly discard: () => void }) {
  const busy = edited.some((each) => each.busy);
  const conflicts = edited.flatMap(({ state }) => state?.conflicts ?? []);
  return (
    <section className="unsaved" aria-label="Unsaved changes">
      <div role="status">
        <p>
          <b>{busy ? 'Saving…' : 'Unsaved changes'}</b>
        </p>
        {conflicts.length > 0 && <p>{plural(conflicts.length, 'field')} to decide first, at the top of the page.</p>}
        {edited.map((each) => (
          <Refused key={each.of.kind} edited={each} />
        ))}
      </div>
      <div className="unsaved-buttons">
        <button type="button" disabled={busy} onClick={discard}>
          Discard
        </button>
        <ActionButton
          type="submit"
          className="primary"
          busy={busy}
          aria-busy={busy}
          disabled={conflicts.length > 0}
          aria-keyshortcuts="Control+S Meta+S"
        >
          <Icon name="done" />
          Save
        </ActionButton>
      </div>
    </section>
  );
}

function Refused({ edited: { failure, errors, of, state } }: { readonly edited: Props['of'][number] }) {
  const faults = Object.entries(errors);
  if (faults.length > 0)
    return (
      <ul className="field-error">
        {faults.map(([path, text]) => (
          <li key={path}>
            {pathLabel(of, path.split('.'), state?.draft)}: {text}
          </li>
        ))}
      </ul>
    );
  return failure === undefined ? null : (
    <p className="field-error">
      <Linked text={refusalText(failure, of.title)} />
    </p>
  );
}
