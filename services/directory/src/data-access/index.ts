export { recordDataAccess } from './transactions.ts';
