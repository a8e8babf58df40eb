import type { ObjectKind } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from './running.ts';

const Newest = z.object({ sequence: z.number(), data: z.any() });

export const newestSnapshot = (running: Running, kind: ObjectKind, id: string): Promise<z.output<typeof Newest>> =>
  running.service.database.one(sql.type(Newest)`
    select aggregate_sequence as sequence, data from outbox where type = ${kind} and aggregate_id = ${id} order by id desc limit 1`);
