import type { Operation, OperationRequest } from '@corner/chassis';
import type { directory as contracts, DirectoryObject, ObjectKind } from '@corner/contracts';
import type { Context } from '../context.ts';
import { changeObject, type Versioned } from '../object/transactions/change-object.ts';
import { madeBy, readOfStore } from '../object/transactions/object-requests.ts';
import { editFloor, editMenu, editProgramme, editSlots } from './rules.ts';

type OfferKind = Extract<ObjectKind, 'menu' | 'slots' | 'programme' | 'floor'>;

const read =
  <K extends OfferKind>(kind: K) =>
  async ({ params }: { readonly params: { readonly store_id: string } }, { database }: Context) =>
    replyOf(kind, await readOfStore(database, kind, params.store_id));

const change =
  <K extends OfferKind, Body>(kind: K, name: string, edit: (object: DirectoryObject<K>, body: Body) => object) =>
  async (request: ChangeRequest<Body>, { database }: Context) => {
    const id = request.params.store_id;
    const changed = await database.transaction((tx) =>
      changeObject(tx, {
        kind,
        id,
        storeId: id,
        at: id,
        ...madeBy(name, request),
        change: (object) => edit(object as DirectoryObject<K>, request.body) as DirectoryObject<K>,
      }),
    );
    return replyOf(kind, changed);
  };

const replyOf = <K extends OfferKind>(kind: K, { version, data }: Versioned<K>) =>
  ({ version, [kind]: data }) as { readonly version: number } & { readonly [Name in K]: DirectoryObject<K> };

type ChangeRequest<Body> = Pick<OperationRequest<unknown>, 'caller' | 'idempotencyKey' | 'expectedVersion'> & {
  readonly params: { readonly store_id: string };
  readonly body: Body;
};

export const readDirectoryMenu: Operation<typeof contracts.readDirectoryMenu, Context> = read('menu');
export const changeMenu: Operation<typeof contracts.changeMenu, Context> = change('menu', 'changeMenu', editMenu);
export const readSlots: Operation<typeof contracts.readSlots, Context> = read('slots');
export const changeSlots: Operation<typeof contracts.changeSlots, Context> = change('slots', 'changeSlots', editSlots);
export const readProgramme: Operation<typeof contracts.readProgramme, Context> = read('programme');
export const changeProgramme: Operation<typeof contracts.changeProgramme, Context> = change('programme', 'changeProgramme', editProgramme);
export const readFloor: Operation<typeof contracts.readFloor, Context> = read('floor');
export const changeFloor: Operation<typeof contracts.changeFloor, Context> = change('floor', 'changeFloor', editFloor);
