import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CallGateway } from '../http/call-gateway.ts';
import { type Controls, choice, store, text } from './controls.ts';
import type { Simulator } from './simulator.ts';

const readings = ['a new tap', 'the last tap again'] as const;

const Reading = z.object({ store_id: z.string(), nfc_picc_data: z.string(), nfc_cmac: z.string(), nfc_key_version: z.string() });
const Code = z.object({ code: z.string(), store_name: z.string(), expires_in_seconds: z.number() });

export const tagControls = (tags: Simulator, call: CallGateway): Controls => ({
  tap: {
    title: 'Tap a tag',
    about: 'A phone reads the tag on a store’s counter and gets a stamp code. A tag counts its taps, and each counts once, for one phone.',
    group: 'tags',
    fields: [
      store('store', 'Store'),
      { ...text('tag', 'UID of the tag, where it is not that of the demo'), required: false },
      choice('reading', 'Reading', [...readings]),
    ],
    async run({ store: storeId = '', tag, reading }) {
      const replay = reading === readings[1];
      const read = Reading.parse(await tags.control('tap', { store: storeId, replay, ...(tag === undefined ? {} : { tag }) }));
      const { code, store_name, expires_in_seconds } = await askForCode(call, read);
      return `The phone got the code ${code} of ${store_name}, which proves the visit and can be redeemed for ${expires_in_seconds} seconds.`;
    },
  },
});

/** Each request comes from another phone: for a repeated tap of the same phone, loyalty would return the same code. */
const askForCode = (call: CallGateway, reading: z.output<typeof Reading>): Promise<z.output<typeof Code>> =>
  call('/api/v1/loyalty/stamp-codes', Code, { body: { ...reading, device_info: `sandbox ${randomUUID()}` } });
