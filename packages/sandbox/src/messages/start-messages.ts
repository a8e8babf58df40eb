import { reportingFaults, serve } from '../http/serve.ts';
import { openTags } from '../tags/open-tags.ts';
import { createGoogleTokens, type GoogleTokens } from './google-tokens.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createMessageControls, type MessageControls } from './message-controls.ts';
import { createMessageFaults } from './message-faults.ts';
import { type MessageKeys, openMessageKeys, writeServiceAccount } from './message-keys.ts';
import { createMessagesEndpoints } from './messages-endpoints.ts';
import { type MessagePlaces, type MessagePorts, messageIdentity, messagesEnvironment, tokenUriOf } from './messages-environment.ts';
import { startApns } from './start-apns.ts';
import { startSmtp } from './start-smtp.ts';
import { createPhones, type TextWebhook } from './twilio-phones.ts';
import { createBrowsers } from './web-push-browser.ts';

export interface MessagesOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
  readonly host?: string;
  readonly name?: string;
  readonly ports?: Partial<MessagePorts>;
  readonly texts?: TextWebhook | undefined;
  readonly fds?: { readonly [Name in keyof MessagePorts]?: number | undefined };
}

export interface RunningMessages extends AsyncDisposable {
  readonly url: string;
  readonly ports: MessagePorts;
  readonly environment: Readonly<Record<string, string>>;
  readonly inbox: Inbox;
  readonly controls: MessageControls;
  stop(): Promise<void>;
}

/**
 * Tags are tapped here too, whichever payment provider is used. `folder` keeps keys and the counters of tags, so that both outlive a
 * restart. Rejects when a port is taken.
 */
export async function startMessages(options: MessagesOptions): Promise<RunningMessages> {
  const { folder, now = () => new Date(), host = '127.0.0.1', name = host, ports: requested = {}, fds = {} } = options;
  const { inbox, deliver } = createInbox(now);
  const faults = createMessageFaults();
  const keys = await openMessageKeys(folder, name);
  const { apnsKeyId: keyId, teamId, topic } = messageIdentity;
  let handleRequest: ReturnType<typeof createMessagesEndpoints> | undefined;
  await using started = new AsyncDisposableStack();

  const http = started.use(
    await serve(
      { host, port: requested.http, fd: fds.http },
      reportingFaults(async (...asked) => await handleRequest?.(...asked)),
    ),
  );
  const smtp = started.use(await startSmtp({ host, port: requested.smtp ?? 0, fd: fds.smtp, faults, deliver }));
  const apns = started.use(
    await startApns({
      host,
      port: requested.apns ?? 0,
      fd: fds.apns,
      certificate: keys.server,
      key: { keyId, teamId, publicKey: keys.provider.publicKey },
      topic,
      faults,
      deliver,
      now,
      report: console.error,
    }),
  );
  const ports = { http: http.port, smtp: smtp.port, apns: apns.port };
  const places = { folder, name, ports };
  const tokens = googleTokens(places, keys, now);
  const origin = `http://${name}:${ports.http}`;
  const browsers = createBrowsers(`${origin}/web-push`);
  const phones = createPhones(now, options.texts);
  const controls = createMessageControls({ faults, tokens, inbox, browsers, phones, tags: openTags(folder, options.env ?? {}), now });
  writeServiceAccount(places, keys);
  handleRequest = createMessagesEndpoints({ tokens, faults, deliver, inbox, controls, browsers, phones, origin, now });

  const parts = started.move();
  const stop = () => parts.disposeAsync();
  const url = `http://127.0.0.1:${ports.http}`;
  return { url, ports, environment: messagesEnvironment(places), inbox, controls, stop, [Symbol.asyncDispose]: stop };
}

function googleTokens(places: MessagePlaces, { account }: MessageKeys, now: () => Date): GoogleTokens {
  const { serviceAccount: email, serviceAccountKeyId } = messageIdentity;
  return createGoogleTokens({ email, keyId: serviceAccountKeyId, publicKey: account.publicKey, tokenUri: tokenUriOf(places) }, now);
}
