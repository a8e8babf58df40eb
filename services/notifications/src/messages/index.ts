export { notifyStore } from './transactions/notify-store.ts';
