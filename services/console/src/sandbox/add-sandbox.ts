import { Inbox, Sandbox, SandboxResult } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { type CallGateway, createCallGateway } from '../http/call-gateway.ts';
import { changer, parsed } from '../http/guards.ts';
import type { SandboxConfig } from './config.ts';
import { type Control, type Controls, messageControls, paymentControls } from './controls.ts';
import { guestControls } from './guest-controls.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { tagControls } from './tag-controls.ts';

const simulatorKey = 'sk_test_corner';

const Received = z.array(
  z.object({ n: z.int(), at: z.string(), channel: z.string(), to: z.string(), title: z.string(), text: z.string() }),
);
const timeoutMs = 5_000;
const shown = 200;

/** Adds the inbox and the controls of the configured simulators. Both reach all stores, so they need a person who may change things. */
export function addSandbox(api: Api, config: SandboxConfig): void {
  const { PAYMENTS_SIMULATOR_URL: payments, MESSAGES_SIMULATOR_URL: messages, GATEWAY_URL: gatewayUrl } = config;
  const call = createCallGateway(gatewayUrl);
  const controls: Controls = {
    ...(payments === undefined ? {} : controlsAtPayments(createSimulator(payments, simulatorKey), call)),
    ...(messages === undefined ? {} : controlsAtMessages(createSimulator(messages, simulatorKey), call)),
  };
  if (Object.keys(controls).length > 0) addControls(api, controls);
  if (messages !== undefined) addInbox(api, messages);
}

const controlsAtPayments = (simulator: Simulator, call: CallGateway) => ({
  ...guestControls(simulator, call),
  ...paymentControls(simulator),
});

const controlsAtMessages = (simulator: Simulator, call: CallGateway) => ({
  ...messageControls(simulator),
  ...tagControls(simulator, call),
});

function addControls(api: Api, controls: Controls): void {
  api.get('/api/sandbox', changer, Sandbox, async () => ({
    controls: Object.entries(controls).map(([name, { run: _run, ...described }]) => ({ name, ...described })),
  }));
  api.post('/api/sandbox/:name', changer, SandboxResult, async ({ request }) => {
    const name = String(request.params.name);
    const control = Object.hasOwn(controls, name) ? controls[name] : undefined;
    if (!control) throw new Problem('ROUTE_NOT_FOUND');
    return { done: await control.run(parsed(valuesOf(control), request.body ?? {})) };
  });
}

const valuesOf = ({ fields }: Control): z.ZodType<Record<string, string>> =>
  z.object(
    Object.fromEntries(fields.map((field) => [field.name, field.required ? textOf(field) : textOf(field).optional()])),
  ) as unknown as z.ZodType<Record<string, string>>;

function textOf({ kind, choices = [] }: Control['fields'][number]): z.ZodType<string> {
  if (kind === 'choice') return z.enum(choices);
  if (kind === 'number') return z.coerce.number('must be a number').min(0).transform(String);
  return z.string().trim().min(1, 'is required').max(200);
}

function addInbox(api: Api, messages: string): void {
  api.get('/api/inbox', changer, Inbox, async () => {
    const response = await fetch(`${messages}/inbox.json`, { signal: AbortSignal.timeout(timeoutMs) }).catch((cause: unknown) => {
      throw new Problem('UPSTREAM_UNAVAILABLE', {
        message: 'The simulated message providers do not respond.',
        retryAfterSeconds: 2,
        cause,
      });
    });
    const received = Received.parse(await response.json());
    return {
      messages: received
        .slice(-shown)
        .reverse()
        .map(({ n, title, ...message }) => ({ ...message, id: String(n), subject: title || null })),
    };
  });
}
