import type { GoogleTokens } from './google-tokens.ts';
import type { Inbox } from './inbox.ts';
import type { MessageFault, MessageFaults } from './message-faults.ts';

/** What a test or a demonstration does to the far sides; each is also a POST under `/_sim/`. */
export interface MessageControls {
  /** Lets coming messages fail; see {@link MessageFault}. */
  fail(fault: MessageFault): void;
  /** Forgets the failures still to come, and has dropped devices back. */
  clearFaults(): void;
  /** The app is no longer on the device: FCM answers 404 UNREGISTERED for its token, APNs 410, from now on. */
  dropDevice(token: string): void;
  /** Every Google access token that is out answers 401 from now on. */
  expireTokens(): void;
  /** Forgets what has arrived. */
  empty(): void;
}

interface ControlOptions {
  readonly faults: MessageFaults;
  readonly tokens: GoogleTokens;
  readonly inbox: Inbox;
  readonly now: () => Date;
}

export const createMessageControls = ({ faults, tokens, inbox, now }: ControlOptions): MessageControls => ({
  fail: (fault) => faults.plan(fault),
  clearFaults: () => faults.clear(),
  dropDevice: (token) => faults.dropDevice(token, now()),
  expireTokens: () => tokens.expireAll(),
  empty: () => inbox.empty(),
});
