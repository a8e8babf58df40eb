import { useEffect, useRef, useState } from 'react';
import { Dialog, Notice } from '../../../components/index.ts';

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector;

const detectorClass = (): DetectorClass | undefined => (globalThis as { readonly BarcodeDetector?: DetectorClass }).BarcodeDetector;

export const canScan = (): boolean => detectorClass() !== undefined && 'mediaDevices' in navigator;

interface Props {
  onFound(text: string): void;
  onClose(): void;
}

export function ScanDialog({ onFound, onClose }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const found = useRef(onFound);
  found.current = onFound;
  useEffect(() => {
    const stop = new AbortController();
    scan(video.current, stop.signal).then(
      (text) => text && found.current(text),
      () => setRefused('The camera cannot be used. Allow it in the browser, or type what is on the card.'),
    );
    return () => stop.abort();
  }, []);
  return (
    <Dialog title="Scan a card" onClose={onClose}>
      <Notice text={refused} />
      <video ref={video} className="scan" playsInline muted />
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

async function scan(video: HTMLVideoElement | null, stopped: AbortSignal): Promise<string | undefined> {
  const Reader = detectorClass();
  if (!video || !Reader) return undefined;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    await video.play();
    const reader = new Reader({ formats: ['qr_code'] });
    while (!stopped.aborted) {
      const [code] = await reader.detect(video);
      if (code) return code.rawValue;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
