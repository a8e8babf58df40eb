import { parseJson, type Webhook } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { secretsEqual, signDownload } from '../crypto.ts';
import { passImages } from './adapters/apple-wallet.ts';
import { isSerial, passHeaders } from './rules.ts';
import { completePass } from './sagas.ts';
import { coalesceMs } from './tables/pass-updates.ts';
import { deleteDevice, insertDevice, selectChangedPasses, selectPass } from './tables/passes.ts';
import { authenticatePass } from './transactions.ts';

/** Serves anyone with the signed download address until it expires. Throws ROUTE_NOT_FOUND for any other address. */
export const downloadPass: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/download/{serial}',
  async run({ params: { serial = '' }, query }, { database, wallets, call, now }) {
    const expires = Number(query.get('expires'));
    const pass = isSerial(serial) ? await selectPass(database, serial) : null;
    const signed = pass && secretsEqual(query.get('signature') ?? '', signDownload(pass.authToken, pass.serial, expires));
    if (!signed || !wallets.apple || expires * 1000 <= now().getTime()) throw new Problem('ROUTE_NOT_FOUND');
    return { status: 200, headers: passHeaders(pass, now()), body: await wallets.apple.sign(await completePass(call, pass)) };
  },
};

export const serveLogo: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/logo.png',
  run: async () => ({
    status: 200,
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' },
    body: passImages.logo,
  }),
};

/** 201 for a new registration, 200 for a repeated one, 401 without proof of the pass. */
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

/** 200, also without a registration; 401 without proof of the pass. */
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

/**
 * 200 with the serial numbers changed since an update tag and the newest tag, or 204. Apple's protocol requires no proof but the device's
 * long id. An unknown tag lists every pass.
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

/**
 * 200 with the bundle, 304 when the device has it, 401 without proof of the pass. The device may store it, and revalidates it each time.
 */
export const sendPass: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/v1/passes/{passTypeIdentifier}/{serialNumber}',
  async run({ params: { passTypeIdentifier, serialNumber = '' }, header }, { database, wallets: { apple }, call, now }) {
    const pass = await authenticatePass(database, serialNumber, header('authorization'));
    if (!pass || !apple || passTypeIdentifier !== apple.passTypeId) return { status: 401 };
    const headers = { ...passHeaders(pass, now()), 'Cache-Control': 'private, no-cache' };
    const since = Date.parse(header('if-modified-since') ?? '');
    if (since >= Date.parse(pass.modifiedAt)) return { status: 304, headers };
    return { status: 200, headers, body: await apple.sign(await completePass(call, pass)) };
  },
};

/** Counts the error messages a device reports. They may name people, so they are not stored or logged. */
export const receiveDeviceLog: Webhook<Context> = {
  path: '/api/v1/notifications/wallet/apple/v1/log',
  async run({ body }, { log }) {
    const parsed = Report.safeParse(parseJson(body));
    log.warn({ lines: parsed.success ? parsed.data.logs.length : 0, readable: parsed.success }, 'a wallet reported errors');
    return { status: 200 };
  },
};

const Report = z.object({ logs: z.array(z.unknown()) });
