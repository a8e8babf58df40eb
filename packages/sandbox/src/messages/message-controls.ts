import { type Tags, tagOfStore } from '../tags/open-tags.ts';
import type { TagReading } from '../tags/tap-tag.ts';
import type { GoogleTokens } from './google-tokens.ts';
import type { Inbox } from './inbox.ts';
import type { MessageFault, MessageFaults } from './message-faults.ts';
import type { Phones, TextFromPhone, TextWebhook } from './twilio-phones.ts';
import type { BrowserSubscription, Browsers } from './web-push-browser.ts';

/** The controls of the simulated providers and of the stores' tags. Each is also a POST under `/_sim/`. */
export interface MessageControls {
  fail(fault: MessageFault): void;
  clearFaults(): void;
  /** From now on, FCM responds to the device's token with 404 UNREGISTERED, APNs and Web Push with 410. */
  dropDevice(token: string): void;
  subscribeBrowser(applicationServerKey: string): BrowserSubscription;
  expireTokens(): void;
  empty(): void;
  /** From now on, texts that people send are reported there. */
  receiveTexts(webhook: TextWebhook): void;
  /** Someone sends a text to the number of the account, as an answer. */
  text(given: TextFromPhone): ReturnType<Phones['text']>;
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
  readonly phones: Phones;
  readonly now: () => Date;
}

export const createMessageControls = ({ faults, tokens, inbox, tags, browsers, phones, now }: ControlOptions): MessageControls => ({
  fail: (fault) => faults.plan(fault),
  clearFaults: () => faults.clear(),
  dropDevice: (token) => faults.dropDevice(token, now()),
  subscribeBrowser: (applicationServerKey) => browsers.subscribe(applicationServerKey),
  expireTokens: () => tokens.expireAll(),
  empty: () => inbox.empty(),
  receiveTexts: phones.connect,
  text: phones.text,
  tap({ store, tag, replay }) {
    const { storeId, uid } = tagOfStore(store, tag);
    return { store_id: storeId, ...tags.tap(uid, { replay }) };
  },
});
