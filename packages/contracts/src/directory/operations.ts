import { z } from 'zod';
import { defineOperation, manager, merchant } from '../operation.ts';
import { dialledAtStore, TypedPhoneNumber } from '../typed/phone-numbers.ts';
import { pageOfLog, queryInteger, StoreId } from '../vocabulary.ts';
import { changesOf, DirectoryLogEntry, OfStore, objectSchemas, StoreSummary, Version } from './shapes.ts';
import { managerFields, platformFields } from './store-fields.ts';

export * from './data-access-operations.ts';
export * from './diary-operations.ts';
export * from './erasure-operations.ts';
export * from './invitation-operations.ts';
export * from './offer-operations.ts';
export * from './partner-operations.ts';
export * from './people-operations.ts';
export * from './token-operations.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'directory';

const ofPlatform = Object.fromEntries(platformFields.map((field) => [field, true])) as Record<(typeof platformFields)[number], true>;
const OwnFields = objectSchemas.store.omit({ id: true, ...ofPlatform });
const { status, branding } = OwnFields.shape;
const phone = TypedPhoneNumber.nullable();
const aboutPhone = `The number that customers call. ${dialledAtStore} Shown to everyone. Null for none.`;
const StoreReply = z.object({ version: Version, store: objectSchemas.store });

export const createStore = defineOperation({
  name: 'createStore',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores',
  summary: 'Create a store, with the caller as its owner.',
  description:
    'The store is dark unless the request says otherwise: it takes no orders and is not listed. A live one is found by its code, and is listed once its payment account can take money or the platform says so. Its name is refused when it reads like that of a listed store of another owner, or holds an address of a page or of mail. A token lists its stores, so the caller needs a renewed one before anything else can be done for the store. The platform connects the payment account and sets its fee.',
  caller: { types: ['merchant'] },
  body: OwnFields.extend({
    phone: phone.default(null).describe(aboutPhone),
    status: status
      .unwrap()
      .default('dark')
      .describe(status.description ?? ''),
  }),
  reply: StoreReply,
  problems: ['STORE_CODE_TAKEN'],
  replay: 'header',
  versioned: true,
  limits: [{ by: 'principal', limit: 20, windowSeconds: 3600 }],
  extension: true,
  example: {
    body: { code: 'S3', name: 'Corner Bakery', time_zone: 'Europe/London', hours: [{ day: 1, opens: '08:00', closes: '17:00' }] },
  },
});

export const listDirectoryStores = defineOperation({
  name: 'listDirectoryStores',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores',
  summary: 'List the stores of the token.',
  description: 'In the order of their ids. For the next page, send the id of the last store as after.',
  caller: merchant,
  query: z.object({
    limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Stores in a page.'),
    after: StoreId.optional().describe('The id of the last store of the page before.'),
  }),
  reply: z.object({ stores: z.array(StoreSummary) }),
  problems: [],
  replay: 'none',
  extension: true,
  example: {},
});

export const readDirectoryStore = defineOperation({
  name: 'readDirectoryStore',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}',
  summary: 'Read the settings of a store.',
  description: 'Managers and owners only: the settings name the people whom the store’s messages reach.',
  caller: manager,
  params: OfStore,
  reply: StoreReply,
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const changeStore = defineOperation({
  name: 'changeStore',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}',
  summary: 'Change the settings of a store.',
  description: `What the request names is set, everything else stays; a list is replaced whole. A manager may change ${managerFields.join(', ')}; an owner every field. A closure or a new time zone moves the slots and shifts that come from a template, too.`,
  caller: manager,
  params: OfStore,
  body: changesOf(OwnFields.shape).extend({
    phone: phone.optional().describe(aboutPhone),
    branding: changesOf(branding.unwrap().shape)
      .optional()
      .describe(branding.description ?? ''),
  }),
  reply: StoreReply,
  problems: ['STORE_NOT_FOUND', 'STORE_CODE_TAKEN', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore }, body: { welcome_message: 'Welcome. The terrace is open.' } },
});

export const listDirectoryLog = defineOperation({
  name: 'listDirectoryLog',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/log',
  summary: 'Read who changed what at a store.',
  description:
    'Newest first: each change with who made it and the fields that it set. Personal data, auth cards and sessions are named without their values. For the next page, send the id of the last row as before.',
  caller: manager,
  params: OfStore,
  query: z.object(pageOfLog),
  reply: z.object({ entries: z.array(DirectoryLogEntry) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});
