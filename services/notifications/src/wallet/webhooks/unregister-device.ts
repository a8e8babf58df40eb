import type { Webhook } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { deleteDevice } from '../tables/devices.ts';
import { authenticatePass } from '../transactions/authenticate-pass.ts';

/** Ends a device’s registration for a pass: 200, also when there was none; 401 without proof of the pass. */
export const unregisterDevice: Webhook<Context> = {
  method: 'DELETE',
  path: '/api/v1/notifications/wallet/apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}/{serialNumber}',
  async run({ params, header }, { database, wallets }) {
    const { deviceLibraryIdentifier: deviceId = '', passTypeIdentifier, serialNumber = '' } = params;
    const pass = await authenticatePass(database, serialNumber, header('authorization'));
    if (!pass || !wallets.apple || passTypeIdentifier !== wallets.apple.passTypeId) return { status: 401 };
    await deleteDevice(database, deviceId, pass.serial);
    return { status: 200 };
  },
};
