import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { askedByForeignPage } from '../http/origins.ts';
import { TapFailed } from '../tags/open-tags.ts';
import type { MessageControls } from './message-controls.ts';
import { messageFaultKinds, messageProviders } from './message-faults.ts';
import type { Reply } from './send-reply.ts';

const Fault = z.strictObject({
  at: z.enum(messageProviders),
  how: z.enum(messageFaultKinds),
  to: z.string().optional(),
  times: z.number().int().min(1).optional(),
  retryAfterSeconds: z.number().int().min(0).optional(),
});
const Device = z.strictObject({ token: z.string().min(1) });
const Sender = z.strictObject({ applicationServerKey: z.string().regex(/^[\w-]{87}$/, 'must be 65 bytes in base64url') });
const TextWebhook = z.strictObject({ url: z.url(), address: z.url().optional() });
const Text = z.strictObject({
  from: z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number such as +447700900123'),
  text: z.string().optional(),
  sid: z.string().optional(),
  lost: z.boolean().optional(),
});
const TappedAt = z.strictObject({ store: z.string().min(1), tag: z.string().optional(), replay: z.boolean().optional() });

interface ControlRequest {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly name: string;
  readonly body: string;
}

const operations = (controls: MessageControls): Readonly<Record<string, (body: unknown) => unknown>> => ({
  fail: (body) => controls.fail(Fault.parse(body)),
  'clear-faults': () => controls.clearFaults(),
  'drop-device': (body) => controls.dropDevice(Device.parse(body).token),
  'subscribe-browser': (body) => controls.subscribeBrowser(Sender.parse(body).applicationServerKey),
  'expire-tokens': () => controls.expireTokens(),
  empty: () => controls.empty(),
  'receive-texts': (body) => controls.receiveTexts(TextWebhook.parse(body)),
  text: (body) => controls.text(Text.parse(body)),
  tap: (body) => controls.tap(TappedAt.parse(body)),
});

/** Needs no key: only this machine can reach it, and foreign pages are refused. */
export function createMessageControlEndpoints(controls: MessageControls) {
  const known = operations(controls);
  return async function handleRequest({ method, headers, name, body }: ControlRequest): Promise<Reply> {
    if (askedByForeignPage(headers)) return wrong(403, 'A page of another origin may not use the controls.');
    if (method === 'GET' && name === 'livez') return { status: 200, body: { ok: true } };
    const operation = method === 'POST' && Object.hasOwn(known, name) ? known[name] : undefined;
    if (!operation) return wrong(404, `Known are GET livez, and POST ${Object.keys(known).join(', ')}.`);
    try {
      return { status: 200, body: (await operation(body === '' ? {} : JSON.parse(body))) ?? { ok: true } };
    } catch (error) {
      if (error instanceof TapFailed) return wrong(400, `No tag was tapped: ${error.message}; ${error.fix}.`);
      if (error instanceof z.ZodError) return wrong(400, z.prettifyError(error));
      if (error instanceof SyntaxError) return wrong(400, 'The body must be JSON.');
      throw error;
    }
  };
}

const wrong = (status: number, message: string): Reply => ({ status, body: { error: { message } } });
