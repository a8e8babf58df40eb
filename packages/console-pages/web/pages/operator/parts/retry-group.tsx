import type { DeadLetterResult } from '@corner/console-api';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Dialog, Id, ReasonField } from '../../../components/index.ts';
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

export function RetryGroup({ letters: given, onClose }: { readonly letters: readonly Letter[]; readonly onClose: () => void }) {
  const [letters] = useState(given);
  const [reason, setReason] = useState('');
  const { state, done, run, stop } = useRetries(letters);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(reason.trim());
  };
  return (
    <Dialog title={`Retry ${plural(letters.length, 'dead letter')}`} onClose={onClose} busy={state === 'running'}>
      <form onSubmit={submit}>
        <p>Each event is processed again, one after the other. Its effects happen once, however often it is retried.</p>
        {state === 'asked' ? (
          <ReasonField reason={reason} onChange={setReason} />
        ) : (
          <div className="progress" role="status">
            <progress max={letters.length} value={done.length} aria-label="Retried" />
            <p>{summary(letters.length, done)}</p>
          </div>
        )}
        <Failures done={done} />
        <div className="dialog-buttons">
          <button type="button" onClick={state === 'running' ? stop : onClose}>
            {leavingLabels[state]}
          </button>
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

type State = 'asked' | 'running' | 'over';

const leavingLabels: Readonly<Record<State, string>> = { asked: 'Cancel', running: 'Stop after this one', over: 'Close' };

function useRetries(letters: readonly Letter[]) {
  const [done, setDone] = useState<readonly Done[]>([]);
  const [state, setState] = useState<State>('asked');
  const stopped = useRef(false);
  const stop = useCallback(() => {
    stopped.current = true;
  }, []);
  useEffect(() => stop, [stop]);
  const run = async (reason: string) => {
    setState('running');
    const results: Done[] = [];
    for (const letter of letters) {
      if (stopped.current) break;
      results.push(await retry(letter, reason));
      setDone([...results]);
    }
    setState('over');
    announce(summary(letters.length, results));
    await readAgain('/api/operator/dead-letters');
  };
  return { state, done, run, stop };
}

const Failures = ({ done }: { readonly done: readonly Done[] }) => (
  <ul className="retry-failures">
    {done
      .filter(({ outcome }) => outcome !== 'retried')
      .map(({ id, outcome, detail }) => (
        <li key={id}>
          <Id value={id} what="event" /> {outcome}: {detail ?? 'no detail'}
        </li>
      ))}
  </ul>
);

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
