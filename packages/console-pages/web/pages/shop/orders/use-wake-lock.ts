import { useEffect } from 'react';

/** A browser releases the lock when the page is hidden, so it is requested again. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isGone = false;
    const keepOn = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return;
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isGone) await lock?.release();
    };
    void keepOn();
    document.addEventListener('visibilitychange', keepOn);
    return () => {
      isGone = true;
      document.removeEventListener('visibilitychange', keepOn);
      void lock?.release();
    };
  }, []);
}
