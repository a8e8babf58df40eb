import { useStore } from '../../shell/context.ts';
import { useRead } from '../../shell/queries.ts';
import { type StoresReply, storePath } from './operations.ts';

/** The time zone of the store, in which its pages say times; undefined until it is read. */
export const useZone = (): string | undefined => useRead<StoresReply>(storePath(useStore().code)).data?.stores[0]?.time_zone;
