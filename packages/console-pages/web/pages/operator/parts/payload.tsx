import type { DeadLetter } from '@corner/console-api';
import { useState } from 'react';
import { Loaded } from '../../../components/index.ts';
import { useMay } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';

/** The names of an event's fields. Their values are personal data: they are shown when asked for, to those who may, and each look is on record. */
export function Payload({ letter, path }: { readonly letter: DeadLetter; readonly path: string }) {
  const may = useMay('operator:payload');
  const [asked, setAsked] = useState(false);
  return (
    <section className="card">
      <h2>Data</h2>
      {asked ? (
        <Values path={path} />
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
            <button type="button" className="small" onClick={() => setAsked(true)}>
              Show the values (this is recorded)
            </button>
          ) : (
            <p className="quiet">To see the values you need the permission operator:payload.</p>
          )}
        </>
      )}
    </section>
  );
}

function Values({ path }: { readonly path: string }) {
  const read = useRead<DeadLetter>(`${path}?payload=true`);
  return (
    <Loaded of={read}>
      {({ payload }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="payload" tabIndex={0} aria-label="Values">
          <pre>{pretty(payload)}</pre>
        </section>
      )}
    </Loaded>
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
