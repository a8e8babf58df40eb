import { createAttempts } from '@corner/page-kit/browser/attempts';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { ActionButton, Failure } from './states.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly label: string;
  readonly danger?: boolean;
  readonly reason?: boolean;
  readonly suggestions?: readonly string[];
  readonly begins?: string;
  readonly longestReason?: number;
  readonly act: (reason: string, key: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/**
 * Asks before an action, and for its reason where one is recorded. The dialog closes when `act` resolves; when it fails, it shows why and
 * the button tries again. `act` gets the same key until it is known whether the action was done.
 */
export function ConfirmWithReason(props: ConfirmProps) {
  const {
    title,
    children,
    label,
    danger = false,
    reason: reasonIsAsked = true,
    suggestions = [],
    begins = '',
    longestReason = 500,
    act,
    onClose,
  } = props;
  const [written, setReason] = useState<string | null>(null);
  const reason = written ?? begins;
  const { busy, error, submit } = useSubmit((key) => act(reason.trim(), key), label, onClose);
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <form onSubmit={submit}>
        {children}
        {reasonIsAsked ? <ReasonField {...{ reason, suggestions, longest: longestReason }} onChange={setReason} /> : null}
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

function useSubmit(act: (key: string) => Promise<unknown>, label: string, onClose: () => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [attempt] = useState(() => createAttempts());
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await attempt(label, act);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  return { busy, error, submit };
}

interface ReasonProps {
  readonly reason: string;
  readonly longest?: number;
  readonly suggestions?: readonly string[];
  readonly onChange: (reason: string) => void;
}

export function ReasonField({ reason, longest = 500, suggestions = [], onChange }: ReasonProps) {
  const field = useId();
  return (
    <div className="field">
      <label htmlFor={field}>Reason, for the record</label>
      <textarea id={field} value={reason} required maxLength={longest} rows={3} onChange={({ target }) => onChange(target.value)} />
      {suggestions.length > 0 ? (
        <div className="suggestions">
          {suggestions.map((suggestion) => (
            <button type="button" key={suggestion} className="small" onClick={() => onChange(suggestion)}>
              {suggestion}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
