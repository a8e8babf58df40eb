import type { LiveState } from './follow-live.ts';

const liveTexts: Readonly<Record<LiveState, string>> = { off: '', connecting: 'Connecting', live: 'Live', lost: 'Connection lost' };

export const Live = ({ state }: { readonly state: LiveState }) => (
  <span className={`live ${state}`} role="status">
    {liveTexts[state]}
  </span>
);
