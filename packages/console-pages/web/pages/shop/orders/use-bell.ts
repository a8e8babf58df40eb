import { useEffect, useState } from 'react';
import { isKeptOn, keepOn } from '../../../components/switch.tsx';

const name = 'sound-for-new-orders';
const everyMs = 4_000;
const notes = [880, 1_320];
const noteSeconds = 0.35;

let audio: AudioContext | undefined;

async function allowSound(): Promise<void> {
  audio ??= new AudioContext();
  await audio.resume();
}

function ring(): void {
  if (audio?.state !== 'running') return;
  for (const [index, hertz] of notes.entries()) {
    const start = audio.currentTime + index * noteSeconds;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.frequency.value = hertz;
    volume.gain.setValueAtTime(0.4, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + noteSeconds);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + noteSeconds);
  }
}

/**
 * Sounds every few seconds while `ringing`, when its switch is on, which this browser stores. Browsers allow sound only during a press or a
 * key: after a reload `isAllowed` is false until the first one.
 */
export function useBell(ringing: boolean) {
  const [isOn, setOn] = useState(() => isKeptOn(name));
  const [isAllowed, setAllowed] = useState(() => audio?.state === 'running');
  useEffect(() => {
    if (!isOn || isAllowed) return;
    const allow = () => void allowSound().then(() => setAllowed(true));
    addEventListener('pointerdown', allow);
    addEventListener('keydown', allow);
    return () => {
      removeEventListener('pointerdown', allow);
      removeEventListener('keydown', allow);
    };
  }, [isOn, isAllowed]);
  useEffect(() => {
    if (!isOn || !isAllowed || !ringing) return;
    ring();
    const timer = setInterval(ring, everyMs);
    return () => clearInterval(timer);
  }, [isOn, isAllowed, ringing]);
  const turn = (on: boolean) => {
    keepOn(name, on);
    setOn(on);
    if (!on) return;
    void allowSound().then(() => {
      setAllowed(true);
      ring();
    });
  };
  return { isOn, isAllowed, turn };
}
