import type { Webhook } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { selectChangedPasses } from '../tables/devices.ts';

/**
 * Lists a device’s passes that have changed since an update tag: 200 with their serial numbers and the newest tag, 204 for none. Apple’s
 * protocol asks for no proof here but the device’s own long id. An unknown tag lists every pass.
 */
export const listChangedPasses: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}',
  async run({ params, query }, { database, wallets }) {
    if (params.passTypeIdentifier !== wallets.apple?.passTypeId) return { status: 204 };
    const tag = query.get('passesUpdatedSince') ?? '';
    const since = /^\d{1,15}$/.test(tag) ? Number(tag) : -1;
    const { serials, newestTag } = await selectChangedPasses(database, params.deviceLibraryIdentifier ?? '', since);
    return serials.length === 0 ? { status: 204 } : { status: 200, body: { serialNumbers: serials, lastUpdated: String(newestTag) } };
  },
};
