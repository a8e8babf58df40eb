import { NoColumns, type Queries } from '@corner/chassis';
import { UploadedPicture } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const PictureRow = z.object({ type: UploadedPicture.shape.type, bytes: z.instanceof(Buffer) });

interface NewPicture {
  readonly hash: string;
  readonly type: UploadedPicture['type'];
  readonly bytes: Buffer;
  readonly storeId: string;
  readonly byId: string;
  readonly at: Date;
}

/** Keeps a picture, unless it is kept already or its store uploaded `most` within a day. Returns whether it is kept now. */
export async function keepPicture(queries: Queries, { hash, type, bytes, storeId, byId, at }: NewPicture, most: number): Promise<boolean> {
  if (await isKept(queries, hash)) return true;
  await queries.query(sql.prepared('keep-picture', NoColumns)`
    insert into picture (hash, type, bytes, store_id, by_id, uploaded_at)
    select ${hash}, ${type}, ${sql.binary(bytes)}, ${storeId}, ${byId}, ${at.toISOString()}
    where (select count(*) from picture where store_id = ${storeId} and uploaded_at > ${at.toISOString()}::timestamptz - interval '1 day') < ${most}
    on conflict (hash) do nothing`);
  return await isKept(queries, hash);
}

const isKept = async (queries: Queries, hash: string): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('is-picture-kept', NoColumns)`select 1 from picture where hash = ${hash}`)) !== null;

export const findPicture = (queries: Queries, hash: string): Promise<z.output<typeof PictureRow> | null> =>
  queries.maybeOne(sql.prepared('find-picture', PictureRow)`select type, bytes from picture where hash = ${hash}`);
