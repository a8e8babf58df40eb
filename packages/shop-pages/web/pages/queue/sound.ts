let audio: AudioContext | undefined;
let allowed = false;

export const hasSound = (): boolean => allowed;

/** Call it in a press: browsers let no page make a sound before one. */
export function prepareSound(on: boolean): void {
  allowed = on;
  if (on) {
    audio ??= 'AudioContext' in globalThis ? new AudioContext() : undefined;
    void audio?.resume();
  }
}

const notes = [659, 784, 988];
const noteSeconds = 0.22;

export function announceTurn(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([300, 150, 300, 150, 600]);
  if (!allowed || !audio) return;
  for (const [index, note] of notes.entries()) {
    const at = audio.currentTime + index * noteSeconds;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = note;
    volume.gain.setValueAtTime(0.2, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + noteSeconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + noteSeconds);
  }
}
