export { quantile, textTable } from './figures.ts';
export { describeMachine, type Machine, machineLine } from './machine.ts';
export { markdownTable } from './report-as-markdown.ts';
export { resultsPath, writeArtefact, writeResults } from './write-document.ts';
