export * from './operator.ts';
export * from './sandbox.ts';
export * from './session.ts';
export * from './shop.ts';
