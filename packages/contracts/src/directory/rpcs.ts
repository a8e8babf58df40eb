import { z } from 'zod';
import { By, Id, operatorRpc } from '../operator.ts';
import { defineRpc } from '../rpc.ts';
import { Instant, roles, StoreId } from '../vocabulary.ts';
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
    /** Where the next page begins; null at the end. */
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
    /** Services with snapshots to come: how many at most. Null while a service does not reply. */
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
        /** The person who is invited. */
        name: z.string(),
        role: z.enum(roles),
        /** The language of the mail; null for the store’s. */
        language: Language.nullable(),
        store_name: z.string(),
        /** The person who invites; null when their token has no name. */
        invited_by: z.string().nullable(),
        /** What follows `#` in the link. It is a secret. */
        token: z.string(),
        expires_at: Instant,
      })
      .nullable(),
  }),
  problems: [],
  deadlineMs: 5_000,
});
