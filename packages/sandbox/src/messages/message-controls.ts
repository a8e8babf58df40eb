import type { GoogleTokens } from './google-tokens.ts';
import type { Inbox } from './inbox.ts';
import type { MessageFault, MessageFaults } from './message-faults.ts';

/** What a test or a demonstration can do to the simulated providers. Each is also a POST under `/_sim/`. */
export interface MessageControls {
  /** Makes coming messages fail; see {@link MessageFault}. */
  fail(fault: MessageFault): void;
  /** Removes the faults that have not occurred yet, and restores dropped devices. */
  clearFaults(): void;
  /** Removes the app from the device: from now on, FCM responds to its token with 404 UNREGISTERED and APNs with 410. */
  dropDevice(token: string): void;
  /** Revokes every Google access token issued so far: requests with it get 401. */
  expireTokens(): void;
  /** Removes all messages from the inbox. */
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
