import type { ReactNode } from 'react';

/** What a state means to the reader: the colour of its badge. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

/** A state in a word. Its text says all; the colour only repeats it. */
export const Badge = ({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
);
