export { type MenuEntry, menuEntriesOf, type PastedMenu, parsePastedMenu, withoutFaults } from '@corner/contracts/typed';
