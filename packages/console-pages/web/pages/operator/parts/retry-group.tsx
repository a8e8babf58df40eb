import type { DeadLetterResult } from '@corner/console-api';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog, Id } from '../../../components/index.ts';
import type { Letter } from '../../../logic/dead-letter-groups.ts';
import { plural } from '../../../logic/format.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import { readAgain } from '../../../shell/queries.ts';
import { request } from '../../../shell/request.ts';

interface Done {
  readonly id: string;
  readonly outcome: DeadLetterResult['outcome'];
  readonly detail: string | null;
}

/** Retries dead letters one after the other, shows how each ended, and can be stopped between two. */
export function RetryGroup({ letters: given, onClose }: { readonly letters: readonly Letter[]; readonly onClose: () => void }) {
  // The list behind the dialog changes while they are retried.
  const [letters] = useState(given);
  const [reason, setReason] = useState('');
  const [done, setDone] = useState<readonly Done[]>([]);
  const [state, setState] = useState<'asked' | 'running' | 'over'>('asked');
  const stopped = useRef(false);
  const field = useId();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setState('running');
    const results: Done[] = [];
    for (const letter of letters) {
      if (stopped.current) break;
      results.push(await retry(letter, reason.trim()));
      setDone([...results]);
    }
    setState('over');
    announce(summary(letters.length, results));
    await readAgain('/api/operator/dead-letters');
  };
  const failures = done.filter(({ outcome }) => outcome !== 'retried');
  return (
    <Dialog title={`Retry ${plural(letters.length, 'dead letter')}`} onClose={onClose} busy={state === 'running'}>
      <form onSubmit={(event) => void run(event)}>
        <p>Each event is processed again, one after the other. What it causes happens once, however often it is retried.</p>
        {state === 'asked' ? (
          <div className="field">
            <label htmlFor={field}>Reason, for the record</label>
            <textarea id={field} value={reason} required maxLength={500} rows={2} onChange={(event) => setReason(event.target.value)} />
          </div>
        ) : (
          <div className="progress" role="status">
            <progress max={letters.length} value={done.length} aria-label="Retried" />
            <p>{summary(letters.length, done)}</p>
          </div>
        )}
        <ul className="retry-failures">
          {failures.map(({ id, outcome, detail }) => (
            <li key={id}>
              <Id value={id} what="event" /> {outcome}: {detail ?? 'no detail'}
            </li>
          ))}
        </ul>
        <div className="dialog-buttons">
          {state === 'running' ? (
            <button
              type="button"
              onClick={() => {
                stopped.current = true;
              }}
            >
              Stop after this one
            </button>
          ) : (
            <button type="button" onClick={onClose}>
              {state === 'asked' ? 'Cancel' : 'Close'}
            </button>
          )}
          {state === 'asked' ? (
            <button type="submit" className="primary" disabled={reason.trim() === ''}>
              Retry {letters.length === 1 ? 'it' : `all ${letters.length}`}
            </button>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}

function summary(all: number, done: readonly Done[]): string {
  const processed = done.filter(({ outcome }) => outcome === 'retried').length;
  return `${done.length} of ${all}: ${processed} processed, ${done.length - processed} not.`;
}

async function retry({ service, event_id }: Letter, reason: string): Promise<Done> {
  try {
    const result = await request<DeadLetterResult>(`/api/operator/dead-letters/${service}/${event_id}/retry`, {
      method: 'POST',
      body: { reason },
    });
    return { id: event_id, ...result };
  } catch (error) {
    const detail = error instanceof RequestFailed ? `${error.message} (${error.code})` : String(error);
    return { id: event_id, outcome: 'failed', detail };
  }
}
