import type { Webhook } from '@corner/chassis';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { insertDevice } from '../tables/devices.ts';
import { coalesceMs } from '../tables/pass-updates.ts';
import { authenticatePass } from '../transactions/authenticate-pass.ts';

/** Registers a device for a pass’s changes: 201 for a new registration, 200 for a repeated one, 401 without proof of the pass. */
export const registerDevice: Webhook<Context> = {
  path: '/api/v1/notifications/wallet/apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}/{serialNumber}',
  async run({ params, body, header }, { database, wallets, now, passSignal }) {
    const { deviceLibraryIdentifier: deviceId = '', passTypeIdentifier, serialNumber = '' } = params;
    const pass = await authenticatePass(database, serialNumber, header('authorization'));
    if (!pass || !wallets.apple || passTypeIdentifier !== wallets.apple.passTypeId) return { status: 401 };
    const registration = Registration.safeParse(parseJson(body));
    if (!registration.success || deviceId.length > 128) return { status: 400 };
    const isNew = await insertDevice(database, { deviceId, serial: pass.serial, pushToken: registration.data.pushToken }, now());
    if (isNew) passSignal.raiseAfter(coalesceMs);
    return { status: isNew ? 201 : 200 };
  },
};

const Registration = z.object({ pushToken: z.string().regex(/^[0-9A-Za-z]{1,200}$/) });

/** Returns undefined for a body that is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
