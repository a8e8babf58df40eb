import { z } from 'zod';
import { ErasureCertificate } from '../erasure.ts';
import { anyone, customer, defineOperation, owner } from '../operation.ts';
import { CustomerId, Instant } from '../vocabulary.ts';
import { OfStore } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'directory';

const Receipt = z
  .guid()
  .toLowerCase()
  .describe('Reads the certificate, also when no token is left. It is a secret of the person who asked.');
const ErasureReply = z.object({ receipt: Receipt, certificate: ErasureCertificate });

export const eraseMe = defineOperation({
  name: 'eraseMe',
  service,
  method: 'DELETE',
  path: '/api/v1/directory/me',
  summary: 'Erase the caller: everything that names them, in every service.',
  description:
    'It cannot be undone: stamps and vouchers are lost, every session ends, and a person who signs in again is someone new. Orders under way are finished first. Sums and VAT are kept without a person. A repeat returns the same erasure.',
  caller: customer,
  reply: ErasureReply,
  problems: [],
  replay: 'header',
  unstored: true,
  extension: true,
  example: {},
});

export const exportMe = defineOperation({
  name: 'exportMe',
  service,
  method: 'GET',
  path: '/api/v1/directory/me/export',
  summary: 'Read everything that is held of the caller.',
  description:
    'By service and kind. It is whole or refused: while one service does not answer, it is 503. It holds no secrets, such as the keys of devices.',
  caller: customer,
  reply: z.object({
    customer_id: CustomerId,
    exported_at: Instant.describe('When it was read.'),
    sections: z
      .array(
        z.object({
          service: z.string().describe('The service that holds it.'),
          of: z.string().describe('What it is.'),
          rows: z.array(z.record(z.string(), z.unknown())).describe('All there is of it.'),
        }),
      )
      .describe('Everything, without the sections that are empty.'),
  }),
  problems: [],
  replay: 'none',
  limits: [{ by: 'principal', limit: 10, windowSeconds: 3600 }],
  extension: true,
  example: {},
});

export const requestErasure = defineOperation({
  name: 'requestErasure',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/customers/{customer_id}/erasure-requests',
  summary: 'Pass on that a customer asks to be erased.',
  description:
    'The request is recorded, and the operator of the platform begins the erasure: name, addresses, account and programmes belong to other stores too, so no store erases them by itself. A repeat returns the same request.',
  caller: owner,
  params: OfStore.extend({ customer_id: CustomerId }),
  body: z.object({}),
  reply: ErasureReply,
  problems: ['STORE_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unstored: true,
  extension: true,
  example: { params: { store_id: demoStore, customer_id: '0190a000-0000-7000-8000-0000000000a5' }, body: {} },
});

export const readErasure = defineOperation({
  name: 'readErasure',
  service,
  method: 'GET',
  path: '/api/v1/directory/erasures/{receipt}',
  summary: 'Read the certificate of an erasure.',
  description: 'With the receipt alone: no token is needed.',
  caller: anyone,
  params: z.object({ receipt: Receipt }),
  reply: z.object({ certificate: ErasureCertificate }),
  problems: ['ERASURE_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'address', counts: 'failures', limit: 30, windowSeconds: 600 }],
  extension: true,
  example: { params: { receipt: '0190a000-0000-4000-8000-0000000000e1' } },
});
