import { type Tags, tagOfStore } from '../tags/open-tags.ts';
import type { TagReading } from '../tags/tap-tag.ts';
import type { GoogleTokens } from './google-tokens.ts';
import type { Inbox } from './inbox.ts';
import type { MessageFault, MessageFaults } from './message-faults.ts';
import type { BrowserSubscription, Browsers } from './web-push-browser.ts';

/** The controls of the simulated providers and of the stores' tags. Each is also a POST under `/_sim/`. */
export interface MessageControls {
  /** Makes coming messages fail; see {@link MessageFault}. */
  fail(fault: MessageFault): void;
  /** Removes the faults that have not occurred yet, and restores dropped devices. */
  clearFaults(): void;
  /** Removes the app from the device: from now on, FCM responds to its token with 404 UNREGISTERED, APNs and Web Push with 410. */
  dropDevice(token: string): void;
  /** Subscribes a simulated browser with a sender's VAPID key. What is pushed to it arrives in the inbox, decrypted. */
  subscribeBrowser(applicationServerKey: string): BrowserSubscription;
  /** Revokes every Google access token issued so far: requests with it get 401. */
  expireTokens(): void;
  empty(): void;
  /** Returns what a phone reads from a store's tag, as a body for the stamp codes. Throws {@link TapFailed}. */
  tap(at: TappedAt): TagReading & { readonly store_id: string };
}

interface TappedAt {
  readonly store: string;
  readonly tag?: string | undefined;
  readonly replay?: boolean | undefined;
}

interface ControlOptions {
  readonly faults: MessageFaults;
  readonly tokens: GoogleTokens;
  readonly inbox: Inbox;
  readonly tags: Tags;
  readonly browsers: Browsers;
  readonly now: () => Date;
}

export const createMessageControls = ({ faults, tokens, inbox, tags, browsers, now }: ControlOptions): MessageControls => ({
  fail: (fault) => faults.plan(fault),
  clearFaults: () => faults.clear(),
  dropDevice: (token) => faults.dropDevice(token, now()),
  subscribeBrowser: (applicationServerKey) => browsers.subscribe(applicationServerKey),
  expireTokens: () => tokens.expireAll(),
  empty: () => inbox.empty(),
  tap({ store, tag, replay }) {
    const { storeId, uid } = tagOfStore(store, tag);
    return { store_id: storeId, ...tags.tap(uid, { replay }) };
  },
});
