export {
  type Column,
  columnNames,
  type MenuEntry,
  menuEntriesOf,
  namingColumn,
  type PastedMenu,
  parsePastedMenu,
  withHeadings,
  withoutFaults,
} from '@corner/contracts/typed';
