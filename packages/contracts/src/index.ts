export * from './event.ts';
export * from './operation.ts';
export * from './problems.ts';
export * from './question.ts';
export * from './vocabulary.ts';
