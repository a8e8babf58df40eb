import { CornerError } from '@corner/client';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type Attempt, abandonAttempt, beginAttempt, type OrderBody, placeAttempt, readAttempt } from '../../order/attempts.ts';
import { useClient } from '../../session/use-session.ts';

/**
 * `other total`: the store's total differs from the one that was shown. `other time`: it would be ready later. `open order`: another order of this store was begun and is not
 * paid.
 */
export type Placing =
  | { readonly at: 'rest' }
  | { readonly at: 'work' }
  | { readonly at: 'other total'; readonly totalPence: number; readonly body: OrderBody }
  | { readonly at: 'other time'; readonly readyFrom: string; readonly body: OrderBody }
  | { readonly at: 'open order'; readonly attempt: Attempt; readonly body: OrderBody }
  | { readonly at: 'failed'; readonly error: unknown; readonly maybePlaced: boolean };

export function usePlacing(code: string) {
  const client = useClient();
  const [, navigate] = useLocation();
  const [placing, setPlacing] = useState<Placing>({ at: 'rest' });
  const working = useRef(false);

  const work = async (run: () => Promise<Placing>): Promise<void> => {
    if (working.current) return;
    working.current = true;
    setPlacing({ at: 'work' });
    try {
      setPlacing(await run());
    } catch (error) {
      setPlacing({ at: 'failed', error, maybePlaced: false });
    } finally {
      working.current = false;
    }
  };
  const goOn = (attemptId: string) => navigate(`/s/${encodeURIComponent(code)}/pay/${attemptId}`);
  const placeBody = async (body: OrderBody): Promise<Placing> => {
    const { attempt, differs } = await beginAttempt(body);
    if (differs) return { at: 'open order', attempt, body };
    try {
      await placeAttempt(client, attempt.attempt_id);
    } catch (error) {
      if (error instanceof CornerError && error.code === 'PRICE_CHANGED' && error.totalPence !== undefined)
        return { at: 'other total', totalPence: error.totalPence, body };
      if (error instanceof CornerError && error.code === 'READY_LATER' && error.readyFrom !== undefined)
        return { at: 'other time', readyFrom: error.readyFrom, body };
      return { at: 'failed', error, maybePlaced: readAttempt(attempt.attempt_id)?.state === 'begun' };
    }
    goOn(attempt.attempt_id);
    return { at: 'rest' };
  };

  return {
    placing,
    place: (body: OrderBody) => work(() => placeBody(body)),
    goOn,
    replace: ({ attempt_id }: Attempt, body: OrderBody) =>
      work(async () => {
        if (await abandonAttempt(client, attempt_id)) return await placeBody(body);
        goOn(attempt_id);
        return { at: 'rest' };
      }),
    stop: () => setPlacing({ at: 'rest' }),
  };
}
