import type { Webhook } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { passHeaders } from '../rules/pass-headers.ts';
import { completePass } from '../sagas/complete-pass.ts';
import { authenticatePass } from '../transactions/authenticate-pass.ts';

/** Sends the current version of a pass to a device: 200 with the bundle, 304 when the device has it, 401 without proof of the pass. */
export const sendPass: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/v1/passes/{passTypeIdentifier}/{serialNumber}',
  async run({ params: { passTypeIdentifier, serialNumber = '' }, header }, { database, wallets: { apple }, call, now }) {
    const pass = await authenticatePass(database, serialNumber, header('authorization'));
    if (!pass || !apple || passTypeIdentifier !== apple.passTypeId) return { status: 401 };
    // The device may store the pass, and revalidates it each time.
    const headers = { ...passHeaders(pass, now()), 'Cache-Control': 'private, no-cache' };
    const since = Date.parse(header('if-modified-since') ?? '');
    if (since >= Date.parse(pass.modifiedAt)) return { status: 304, headers };
    return { status: 200, headers, body: await apple.sign(await completePass(call, pass)) };
  },
};
