export { buildPrograms, builtProgram } from './build-programs.ts';
export { allPrograms, cacheBeside, fileOf } from './programs.ts';
