/** Styles are imported for their effect: the build gathers them in one file. */
declare module '*.css';
