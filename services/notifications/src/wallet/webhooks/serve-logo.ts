import type { Webhook } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { images } from '../adapters/pass-images.ts';

/** The picture Google shows on passes of stores that have none of their own. */
export const showLogo: Webhook<Context> = {
  method: 'GET',
  path: '/api/v1/notifications/wallet/logo.png',
  run: async () => ({
    status: 200,
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' },
    body: images.logo,
  }),
};
