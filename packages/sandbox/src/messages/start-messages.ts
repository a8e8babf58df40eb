import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openTags } from '../tags/open-tags.ts';
import { createGoogleTokens } from './google-tokens.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createMessageControls, type MessageControls } from './message-controls.ts';
import { createMessageFaults } from './message-faults.ts';
import { openMessageKeys, writeServiceAccount } from './message-keys.ts';
import { createMessagesEndpoints } from './messages-endpoints.ts';
import { type MessagePorts, messageIdentity, messagesEnvironment, tokenUriOf } from './messages-environment.ts';
import { startApns } from './start-apns.ts';
import { startSmtp } from './start-smtp.ts';
import { createTwilioEndpoint } from './twilio-endpoint.ts';

export interface MessagesOptions {
  /**
   * Folder of the keys and certificates, made when absent. With the same folder, a client's keys stay valid after a restart, and tags count on.
   */
  readonly folder: string;
  /** May hold the keys of simulated tags: NFC_KEYS and NFC_SYSTEM_ID. Those of development when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
  /** Address to listen at. */
  readonly host?: string;
  /** Host name by which clients reach the simulated providers; `host` when absent. */
  readonly name?: string;
  /** 0, the default of each, takes a free port. */
  readonly ports?: Partial<MessagePorts>;
  /** Inherited listening sockets, instead of the host and the ports. */
  readonly fds?: { readonly [Name in keyof MessagePorts]?: number | undefined };
}

export interface RunningMessages extends AsyncDisposable {
  /** Base address of everything over plain HTTP; the inbox page is at its root. */
  readonly url: string;
  readonly ports: MessagePorts;
  /** The variables to start notifications with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly inbox: Inbox;
  readonly controls: MessageControls;
  stop(): Promise<void>;
}

/**
 * Starts the simulated message providers: a mail server, Google's APIs (token endpoint, Firebase Cloud Messaging, Wallet), and the
 * Apple Push Notification service, and Twilio's API for SMS. All messages go to one inbox, in order of arrival. The tags on the counters of stores can be
 * tapped here too, since this simulator runs whichever payment provider is used. Rejects when a port is taken.
 */
export async function startMessages(options: MessagesOptions): Promise<RunningMessages> {
  const { folder, now = () => new Date(), host = '127.0.0.1', name = host, ports: requested = {}, fds = {} } = options;
  const report = (error: unknown): void => console.error(error);
  const { inbox, deliver } = createInbox(now);
  const faults = createMessageFaults();
  const keys = await openMessageKeys(folder, name);
  await using started = new AsyncDisposableStack();

  const server = createServer();
  await once(server.listen(fds.http === undefined ? { port: requested.http ?? 0, host } : { fd: fds.http }), 'listening');
  started.defer(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const smtp = started.use(await startSmtp({ host, port: requested.smtp ?? 0, fd: fds.smtp, faults, deliver }));
  const { apnsKeyId: keyId, teamId, topic, projectId, serviceAccount, serviceAccountKeyId, walletIssuerId: issuerId } = messageIdentity;
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
      report,
    }),
  );
  const ports = { http: (server.address() as AddressInfo).port, smtp: smtp.port, apns: apns.port };
  const places = { folder, name, ports };
  const { publicKey } = keys.account;
  const tokens = createGoogleTokens({ email: serviceAccount, keyId: serviceAccountKeyId, publicKey, tokenUri: tokenUriOf(places) }, now);
  const controls = createMessageControls({ faults, tokens, inbox, tags: openTags(folder, options.env ?? {}), now });
  writeServiceAccount(places, keys);

  const { twilioAccountSid: accountSid, twilioAuthToken: authToken, twilioFrom } = messageIdentity;
  const twilio = createTwilioEndpoint({ accountSid, authToken, from: twilioFrom, faults, deliver, now });
  const handleRequest = createMessagesEndpoints({ projectId, issuerId, tokens, faults, deliver, inbox, controls, twilio });
  server.on('request', (request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      // A caller that disconnects while sending is not a fault of the simulator.
      if (!request.errored) report(error);
      response.destroy();
    });
  });

  const parts = started.move();
  const stop = () => parts.disposeAsync();
  return {
    url: `http://127.0.0.1:${ports.http}`,
    ports,
    environment: messagesEnvironment(places),
    inbox,
    controls,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
