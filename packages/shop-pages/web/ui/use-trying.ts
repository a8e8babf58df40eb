import { useState } from 'preact/hooks';

export function useTrying() {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const trying = async (act: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailed(undefined);
    try {
      await act();
    } catch (thrown) {
      setFailed(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { busy, failed, trying, rest: () => setBusy(false) };
}
