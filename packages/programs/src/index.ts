export { buildPrograms, builtProgram } from './build-programs.ts';
export { allPrograms, fileOf } from './programs.ts';
