/** Ids are printed and documented, so they must not change. */
export const stores = {
  coffee: { id: '0190a000-0000-7000-8000-000000000001', code: 'S1', name: 'Corner Coffee' },
  cuts: { id: '0190a000-0000-7000-8000-000000000002', code: 'S2', name: 'Corner Cuts' },
} as const;

export const tags = [{ uid: '04C0FFEE000001', storeId: stores.coffee.id }] as const;

export const people = {
  ana: { id: '0190a000-0000-7000-8000-0000000000a1', name: 'Ana', addresses: ['ana@example.com', 'demo-ana-phone'] },
  bo: { id: '0190a000-0000-7000-8000-0000000000b1', name: 'Bo' },
  cy: { id: '0190a000-0000-7000-8000-0000000000c1', name: 'Cy' },
  olu: { id: '0190a000-0000-7000-8000-0000000000d1', name: 'Olu' },
  pia: { id: '0190a000-0000-7000-8000-0000000000d2', name: 'Pia' },
} as const;

export const merchantId = '0190a000-0000-7000-8000-00000000bb01';

export const storyOrder = {
  store: stores.coffee,
  items: [
    { menu_item_id: 'flat-white', quantity: 1 },
    { menu_item_id: 'croissant', quantity: 1 },
  ],
  totalPence: 340 + 290,
  currency: 'GBP',
} as const;
