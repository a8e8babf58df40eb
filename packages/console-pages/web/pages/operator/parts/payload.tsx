import type { DeadLetter } from '@corner/console-api';
import { useState } from 'react';
import { ActionButton, Failure } from '../../../components/index.ts';
import { useMay } from '../../../shell/context.ts';
import { request } from '../../../shell/request.ts';

/**
 * The values of an event's fields are personal data, and each read of them is recorded. So they are read once for each press of the button,
 * and held by this page only.
 */
export function Payload({ letter, path }: { readonly letter: DeadLetter; readonly path: string }) {
  const may = useMay('operator:payload');
  const [values, setValues] = useState<DeadLetter>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const show = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setValues(await request<DeadLetter>(`${path}?payload=true`));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card">
      <h2>Data</h2>
      {error === undefined ? null : <Failure error={error} />}
      {values ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="payload" tabIndex={0} aria-label="Values">
          <pre>{pretty(values.payload)}</pre>
        </section>
      ) : (
        <>
          <p>{letter.data_fields.length === 0 ? 'It has no fields.' : 'Its fields are:'}</p>
          <ul className="field-names">
            {letter.data_fields.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
          {may ? (
            <ActionButton className="small" busy={busy} onClick={() => void show()}>
              Show the values (this is recorded)
            </ActionButton>
          ) : (
            <p className="quiet">To see the values you need the permission operator:payload.</p>
          )}
        </>
      )}
    </section>
  );
}

function pretty(payload: string | null): string {
  if (payload === null) return 'The values are not available.';
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
