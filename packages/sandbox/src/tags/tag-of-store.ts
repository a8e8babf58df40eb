import { stores, tags } from '../demo/cast.ts';
import { TapFailed } from './open-tags.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the id of a store, from its id or its code in the demo in any letter case, and the UID of its tag: the given one, else that of the demo. Throws
 * {@link TapFailed} for an unknown code, and for a store that has no tag in the demo.
 */
export function tagOfStore(codeOrId: string, uid?: string): { readonly storeId: string; readonly uid: string } {
  const known = Object.values(stores);
  const isCode = ({ code }: { readonly code: string }) => code.toLowerCase() === codeOrId.toLowerCase();
  const storeId = uuid.test(codeOrId) ? codeOrId.toLowerCase() : known.find(isCode)?.id;
  if (!storeId) throw new TapFailed(`no store of the demo has the code ${codeOrId}`, 'name another code, or the id of a store');
  const found = uid ?? tags.find((tag) => tag.storeId === storeId)?.uid;
  if (!found) throw new TapFailed('the demo has no tag at this store', 'name one by its UID, 14 hexadecimal digits');
  return { storeId, uid: found };
}
