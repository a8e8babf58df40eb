import { z } from 'zod';
import { ErasureCertificate } from '../erasure.ts';
import { By, Id, operatorRpc } from '../operator.ts';
import { defineRpc } from '../rpc.ts';
import { CustomerId, Instant, InstantInput, roles, StoreId } from '../vocabulary.ts';
import { DirectoryEntry, Imported } from './entries.ts';
import { objectKinds } from './shapes.ts';
import { Language } from './snapshot-parts.ts';

export const stageImport = operatorRpc(
  'directory',
  'import.part',
  10_000,
  'Keeps a part of an import until it is run, for a day at most. A part that comes again replaces the one before.',
  z.object({ import_id: Id, part: z.int().min(0).max(9_999), entries: z.array(DirectoryEntry).min(1), by: By }),
  z.object({}),
);

export const runImport = operatorRpc(
  'directory',
  'import.run',
  120_000,
  'Makes all changes of an import in one transaction, or none and says why. A second call with the id changes nothing and returns the same. With `dry_run` nothing is changed.',
  z.object({ import_id: Id, parts: z.int().min(1).max(10_000), dry_run: z.boolean().default(false), by: By }),
  Imported,
);

export const readImportPlan = operatorRpc(
  'directory',
  'import.plan',
  10_000,
  'Returns the changes of an import that was run, or of its dry run, as sentences.',
  z.object({ import_id: Id, after: z.object({ part: z.int(), sentence: z.int() }).optional(), by: By }),
  z.object({
    sentences: z.array(z.string()),
    next: z.object({ part: z.int(), sentence: z.int() }).nullable(),
  }),
);

export const readImportProgress = operatorRpc(
  'directory',
  'import.progress',
  15_000,
  'Returns which services have not processed all snapshots that an import published.',
  z.object({ import_id: Id, by: By }),
  z.object({
    /** The most snapshots that are still to come, by service. Null while a service does not reply. */
    waiting: z.array(z.object({ service: z.string(), snapshots: z.int().nullable() })),
    dead_lettered: z.array(z.object({ service: z.string(), snapshots: z.int() })),
  }),
);

export const exportDirectory = operatorRpc(
  'directory',
  'export',
  10_000,
  'Returns the objects of the directory in pages, in the order of kinds and ids: all of them, those of one store, or some customers.',
  z.object({
    /** The code of a store, whatever its case. */
    store_code: z.string().optional(),
    customer_ids: z.array(Id).max(500).optional(),
    after: z.object({ kind: z.enum(objectKinds), id: Id }).optional(),
    by: By,
  }),
  z.object({ entries: z.array(DirectoryEntry), next: z.object({ kind: z.enum(objectKinds), id: Id }).nullable() }),
);

export const takeOverStream = operatorRpc(
  'directory',
  'take-over',
  120_000,
  'Stages an import of the snapshots in the stream that are newer than what the service published: of another producer, or of its own lost database.',
  z.object({ import_id: Id, by: By }),
  z.object({
    /** The parts to run; 0 when there is nothing to take over. */
    parts: z.int(),
  }),
);

export const readInvitation = defineRpc({
  name: 'directory.invitation',
  service: 'directory',
  summary: 'Returns what the mail of an invitation says, with the token of its link. Null for one that is not open any more.',
  input: z.object({ invitation_id: Id, store_id: StoreId }),
  output: z.object({
    invitation: z
      .object({
        email: z.string(),
        name: z.string(),
        role: z.enum(roles),
        /** The language of the mail; null for the store’s. */
        language: Language.nullable(),
        store_name: z.string(),
        invited_by: z.string().nullable(),
        /** The part of the link after `#`. It is a secret. */
        token: z.string(),
        expires_at: Instant,
      })
      .nullable(),
  }),
  problems: [],
  deadlineMs: 5_000,
});

const Erasure = z.object({ customer_id: CustomerId, receipt: Id, certificate: ErasureCertificate });

export const beginErasure = operatorRpc(
  'directory',
  'erase',
  10_000,
  'Begins the erasure of a customer, also one that a store has asked for. A repeat returns the erasure as it is.',
  z.object({ customer_id: CustomerId, by: By }),
  Erasure,
);

export const listErasures = operatorRpc(
  'directory',
  'erasures',
  10_000,
  'Lists erasures that are not done, or every one, the oldest first, in pages; or that of one customer or receipt.',
  z.object({ of: Id.optional(), all: z.boolean().default(false), after: Id.optional(), by: By }),
  z.object({ erasures: z.array(Erasure), next: Id.nullable() }),
);

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

export const verifyDataAccess = operatorRpc(
  'directory',
  'data-access.verify',
  30_000,
  'Looks whether a part of the record of who read whose data is as it was written: each row by its hash and that of the row before. Returns where the next part begins.',
  z.object({
    /** Where the last part ended; absent at the beginning. A number of null is the end of its chain. */
    after: z.object({ chain: Id, number: z.int().nullable(), hash: z.string() }).optional(),
    /** Ends of chains kept from earlier; each is looked for among the rows. */
    heads: z.array(Hash).max(1_000).default([]),
    by: By,
  }),
  z.object({
    /** Null when no chain is left. */
    part: z
      .object({
        /** Null for the chain of the platform. */
        store_id: StoreId.nullable(),
        /** Number and hash of the last unchanged row. */
        rows: z.int(),
        head: z.string(),
        /** The first changed or missing row; `at` is null for a missing one. */
        broken: z.object({ number: z.int(), at: Instant.nullable(), why: z.enum(['missing', 'changed']) }).nullable(),
        ended: z.boolean(),
      })
      .nullable(),
    found: z.array(Hash),
    next: z.object({ chain: Id, number: z.int().nullable(), hash: z.string() }).nullable(),
  }),
);

export const eraseAgain = operatorRpc(
  'directory',
  'erase-again',
  60_000,
  'Publishes the erasures again that were begun at a time or later, so that every service does them again: after a restore. Returns a page’s end to continue from.',
  z.object({ since: InstantInput, after: Id.optional(), by: By }),
  z.object({ erased: z.int(), next: Id.nullable() }),
);
