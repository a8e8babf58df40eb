import type { ShopSettings } from '@corner/console-api';

let settings: Promise<ShopSettings> | undefined;

/** Reads once. Rejects when the server does not reply; the next call tries again. */
export async function readSettings(): Promise<ShopSettings> {
  settings ??= fetch('/shop.json').then(async (response) => {
    if (!response.ok) throw new Error('the settings of the shop could not be read');
    return (await response.json()) as ShopSettings;
  });
  settings.catch(() => {
    settings = undefined;
  });
  return await settings;
}
