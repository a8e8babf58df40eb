import type { Webhook } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { isSerial } from '../auth/authenticate-pass.ts';
import { sameSecret, signDownload } from '../auth/pass-secrets.ts';
import { passHeaders } from '../rules/pass-headers.ts';
import { passBySerial } from '../tables/passes.ts';

/** The pass, for whoever has the address its customer was given, until that lapses. A wrong, old or made-up address is not there. */
export const downloadPass: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/apple/download/{serial}',
  async run({ params: { serial = '' }, query }, { database, wallets, now }) {
    const expires = Number(query.get('expires'));
    const pass = isSerial(serial) ? await passBySerial(database, serial) : null;
    const signed = pass && sameSecret(query.get('signature') ?? '', signDownload(pass.authToken, pass.serial, expires));
    if (!signed || !wallets.apple || expires * 1000 <= now().getTime()) throw new Problem('ROUTE_NOT_FOUND');
    return { status: 200, headers: passHeaders(pass, now()), body: wallets.apple.sign(pass) };
  },
};
