import type { Webhook } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { provenPass, unauthorized } from '../auth/authenticate-pass.ts';
import { passHeaders } from '../rules/pass-headers.ts';
import { changedSince } from '../tables/devices.ts';

/** Which of a device’s passes have changed since the tag it was given last. The device’s own long id is all it shows, as Apple has it. */
export const listChangedPasses: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}',
  async run({ params, query }, { database, wallets }) {
    if (params.passTypeIdentifier !== wallets.apple?.passTypeId) return { status: 204 };
    // A tag that is none of ours: everything.
    const tag = query.get('passesUpdatedSince') ?? '';
    const since = /^\d{1,15}$/.test(tag) ? Number(tag) : -1;
    const { serials, newest } = await changedSince(database, params.deviceLibraryIdentifier ?? '', since);
    return serials.length === 0 ? { status: 204 } : { status: 200, body: { serialNumbers: serials, lastUpdated: String(newest) } };
  },
};

/** The pass as it is now, or 304 when the device has it so. */
export const sendPass: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/v1/passes/{passTypeIdentifier}/{serialNumber}',
  async run({ params, header }, context) {
    const proven = await provenPass(context, params, header('authorization'));
    if (!proven) return unauthorized;
    const { pass, apple } = proven;
    // The device may keep it, and asks each time whether it still holds.
    const headers = { ...passHeaders(pass, context.now()), 'Cache-Control': 'private, no-cache' };
    const since = Date.parse(header('if-modified-since') ?? '');
    if (since >= Date.parse(pass.modifiedAt)) return { status: 304, headers };
    return { status: 200, headers, body: apple.sign(pass) };
  },
};
