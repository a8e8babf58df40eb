import type { Webhook } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { secretsEqual, signDownload } from '../crypto/pass-secrets.ts';
import { isSerial } from '../rules/is-serial.ts';
import { passHeaders } from '../rules/pass-headers.ts';
import { completePass } from '../sagas/complete-pass.ts';
import { selectPass } from '../tables/passes.ts';

/** Sends a pass to anyone with its signed download address, until the address expires. Throws ROUTE_NOT_FOUND for any other address. */
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
