import { z } from 'zod';
import { anyone, customer, defineOperation } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { Device, DeviceId } from './shapes.ts';

const someDevice = '0190a000-0000-7000-8000-0000000000d1';
const service = 'notifications';
const devices = '/api/v1/notifications/devices';

const shown = {
  name: typedName(64).optional().describe('What the customer calls the device, for example Firefox on my laptop.'),
};
const App = z.object({
  platform: z.enum(['ios', 'android']).describe('The app’s platform.'),
  token: z
    .string()
    .regex(/^[\w:.-]{8,512}$/, 'must be a token of APNs or FCM')
    .describe('The app’s current token: of APNs for ios, of Firebase Cloud Messaging for android.'),
  ...shown,
});
const Browser = z.object({
  platform: z.literal('web').describe('A browser.'),
  subscription: z
    .object({
      endpoint: z.string().max(1024).describe('The address of the subscription, at the push service of the browser.'),
      keys: z
        .object({
          p256dh: z
            .string()
            .regex(/^[\w-]{87}$/, 'must be 65 bytes in base64url')
            .describe('The browser’s public key.'),
          auth: z
            .string()
            .regex(/^[\w-]{22}$/, 'must be 16 bytes in base64url')
            .describe('The subscription’s secret.'),
        })
        .describe('What messages are encrypted with (RFC 8291).'),
    })
    .describe('The subscription as PushSubscription.toJSON() returns it, made with the key of readWebPushKey.'),
  ...shown,
});

export const linkDevice = defineOperation({
  name: 'linkDevice',
  service,
  method: 'POST',
  path: devices,
  summary: 'Link a device for push.',
  description:
    'Messages are pushed to every linked device. The same token or subscription again returns the same id; one that another customer had linked is theirs no more, since one device is one person’s. Call it whenever the app starts signed in: tokens and subscriptions change. A customer has ten devices at most; an eleventh takes the place of the one that was linked longest ago. The endpoint of a subscription must be of a push service that is known: those of Chrome, Edge, Firefox and Safari, and what the platform has added.',
  caller: customer,
  body: z.discriminatedUnion('platform', [App, Browser]),
  reply: z.object({ device_id: DeviceId }),
  problems: [],
  replay: 'header',
  limits: [{ by: 'principal', limit: 30, windowSeconds: 60 }],
  extension: true,
  example: { body: { platform: 'android', token: 'an-example-token-of-firebase', name: 'My phone' } },
});

export const listDevices = defineOperation({
  name: 'listDevices',
  service,
  method: 'GET',
  path: devices,
  summary: 'List the linked devices.',
  description:
    'Returns the customer’s own devices, the newest first, without their tokens and endpoints. A device that its push service no longer knows is dropped.',
  caller: customer,
  reply: z.object({ devices: z.array(Device) }),
  problems: [],
  replay: 'none',
  extension: true,
  example: {},
});

export const unlinkDevice = defineOperation({
  name: 'unlinkDevice',
  service,
  method: 'DELETE',
  path: `${devices}/{device_id}`,
  summary: 'Unlink a device.',
  description:
    'Nothing is pushed to it any more. An app calls it before it signs out: the end of a session unlinks nothing. A device that is not among the customer’s own changes nothing, so a repeat is harmless.',
  caller: customer,
  params: z.object({ device_id: DeviceId }),
  reply: z.object({ device_id: DeviceId }),
  problems: [],
  replay: 'header',
  extension: true,
  example: { params: { device_id: someDevice } },
});

export const readWebPushKey = defineOperation({
  name: 'readWebPushKey',
  service,
  method: 'GET',
  path: '/api/v1/notifications/web-push-key',
  summary: 'Read the key of Web Push.',
  description:
    'The applicationServerKey with which a browser subscribes. A subscription is bound to it: when it differs from that of an existing subscription, subscribe again and link the new one.',
  caller: anyone,
  reply: z.object({
    public_key: z
      .string()
      .nullable()
      .describe('The public key (VAPID, RFC 8292): 65 bytes in base64url. Null when Web Push is not set up.'),
  }),
  problems: [],
  replay: 'none',
  extension: true,
  example: {},
});
