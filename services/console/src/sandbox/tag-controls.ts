import { randomUUID } from 'node:crypto';
import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { z } from 'zod';
import { type Controls, choice, text } from './controls.ts';
import type { Simulator } from './simulator.ts';

const path = '/api/v1/loyalty/stamp-codes';
const timeoutMs = 10_000;
const readings = ['a new tap', 'the last tap again'] as const;

const Reading = z.object({ store_id: z.string(), nfc_picc_data: z.string(), nfc_cmac: z.string(), nfc_key_version: z.string() });
const Code = z.object({ code: z.string(), store_name: z.string(), expires_in_seconds: z.number() });
const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The control that taps a tag and asks for a stamp code as a guest's phone does, by the platform's own operation. */
export const tagControls = (tags: Simulator, gatewayUrl: string): Controls => ({
  tap: {
    title: 'Tap a tag',
    about: 'A phone reads the tag on a store’s counter and gets a stamp code. A tag counts its taps, and each counts once, for one phone.',
    group: 'tags',
    fields: [
      text('store', 'Store: S1, or its id'),
      { ...text('tag', 'UID of the tag, where it is not that of the demo'), required: false },
      choice('reading', 'Reading', [...readings]),
    ],
    async run({ store = '', tag, reading }) {
      const replay = reading === readings[1];
      const read = Reading.parse(await tags.control('tap', { store, replay, ...(tag === undefined ? {} : { tag }) }));
      const { code, store_name, expires_in_seconds } = await askForCode(gatewayUrl, read);
      return `The phone got the code ${code} of ${store_name}, which proves the visit and can be redeemed for ${expires_in_seconds} seconds.`;
    },
  },
});

/** Asks for a code as another phone each time: to its own phone, loyalty would return the same code again for a repeated tap. */
async function askForCode(gatewayUrl: string, reading: z.output<typeof Reading>): Promise<z.output<typeof Code>> {
  const { ok, body } = await send(`${gatewayUrl}${path}`, { ...reading, device_info: `sandbox ${randomUUID()}` });
  if (ok) return Code.parse(body);
  const { code, message } = Refusal.parse(body).error;
  throw new Problem(Object.hasOwn(problems, code) ? (code as ProblemCode) : 'UPSTREAM_UNAVAILABLE', { message });
}

async function send(url: string, body: object): Promise<{ readonly ok: boolean; readonly body: unknown }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(timeoutMs) });
    return { ok: response.ok, body: await response.json() };
  } catch (cause) {
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The gateway does not respond.', retryAfterSeconds: 2, cause });
  }
}
