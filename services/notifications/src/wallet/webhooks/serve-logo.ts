import type { Webhook } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { passImages } from '../adapters/pass-images.ts';

/** Serves the logo that Google shows on passes of stores without a logo of their own. */
export const serveLogo: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/logo.png',
  run: async () => ({
    status: 200,
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' },
    body: passImages.logo,
  }),
};
