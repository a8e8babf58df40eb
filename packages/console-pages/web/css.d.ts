/**
 * Styles are imported for their effect: the build gathers them in one file. One that is imported as a text is loaded with its page
 * (`useStyle`).
 */
declare module '*.css';
