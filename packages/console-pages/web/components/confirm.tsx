import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
import { createAttempts } from '../shell/attempts.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './states.tsx';

interface Props extends ComponentProps<'button'> {
  /** Whether what it does is still being done. */
  readonly busy: boolean;
}

/** A button of an action that takes time. While it is busy it does nothing, and it keeps the focus of the keyboard, which a disabled one loses. */
export const ActionButton = ({ busy, onClick, type = 'button', ...rest }: Props) => (
  <button {...rest} type={type} aria-disabled={busy} onClick={busy ? (event) => event.preventDefault() : onClick} />
);

/**
 * Asks before something is done, and for the reason where one is recorded. It stays open while it is done, and when that fails it says why and can be
 * tried again. `act` closes it by resolving. Its key is the same one until it is known whether what it did was done.
 */
export function ConfirmWithReason({
  title,
  children,
  label,
  danger = false,
  reason: reasonIsAsked = true,
  suggestions = [],
  act,
  onClose,
}: {
  readonly title: string;
  /** What will happen. */
  readonly children?: ReactNode;
  /** The text of the button that does it. */
  readonly label: string;
  readonly danger?: boolean;
  /** False asks for a confirmation only. */
  readonly reason?: boolean;
  /** Reasons that are often given, to choose from. */
  readonly suggestions?: readonly string[];
  readonly act: (reason: string, key: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [attempt] = useState(() => createAttempts());
  const field = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await attempt(label, (key) => act(reason.trim(), key));
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <form onSubmit={(event) => void submit(event)}>
        {children}
        {reasonIsAsked ? (
          <div className="field">
            <label htmlFor={field}>Reason, for the record</label>
            <textarea id={field} value={reason} required maxLength={500} rows={3} onChange={(event) => setReason(event.target.value)} />
            {suggestions.length > 0 ? (
              <div className="suggestions">
                {suggestions.map((suggestion) => (
                  <button type="button" key={suggestion} className="small" onClick={() => setReason(suggestion)}>
                    {suggestion}
                  </button>
                ))}
              </div>
            ) : null}
          </div>
        ) : null}
        {error === undefined ? null : <Failure error={error} />}
        <div className="dialog-buttons">
          <button type="button" disabled={busy} onClick={onClose}>
            Cancel
          </button>
          <ActionButton
            type="submit"
            className={danger ? 'danger' : 'primary'}
            disabled={reasonIsAsked && reason.trim() === ''}
            busy={busy}
            aria-busy={busy}
          >
            {label}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
