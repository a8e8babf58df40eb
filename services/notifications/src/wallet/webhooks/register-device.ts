import type { Webhook } from '@corner/chassis';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { provenPass, unauthorized } from '../auth/authenticate-pass.ts';
import { registerDevice, unregisterDevice } from '../tables/devices.ts';

const path = '/api/v1/notifications/wallet/apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}/{serialNumber}';

const Registration = z.object({ pushToken: z.string().regex(/^[0-9A-Za-z]{1,200}$/) });

/** A device wants to be told of a pass’s changes: 201 when that is new, 200 when it was so already. */
export const registerDeviceForPass: Webhook<Context> = {
  path,
  async run({ params, body, header }, context) {
    const proven = await provenPass(context, params, header('authorization'));
    if (!proven) return unauthorized;
    const registration = Registration.safeParse(parse(body));
    const deviceId = params.deviceLibraryIdentifier ?? '';
    if (!registration.success || deviceId.length > 128) return { status: 400 };
    const { serial } = proven.pass;
    const fresh = await registerDevice(context.database, { deviceId, serial, pushToken: registration.data.pushToken }, context.now());
    return { status: fresh ? 201 : 200 };
  },
};

/** A device no longer has the pass. */
export const unregisterDeviceForPass: Webhook<Context> = {
  method: 'DELETE',
  path,
  async run({ params, header }, context) {
    const proven = await provenPass(context, params, header('authorization'));
    if (!proven) return unauthorized;
    await unregisterDevice(context.database, params.deviceLibraryIdentifier ?? '', proven.pass.serial);
    return { status: 200 };
  },
};

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
