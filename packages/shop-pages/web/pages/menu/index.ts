export { ItemSheet } from './item-sheet.tsx';
