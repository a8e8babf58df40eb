/** The build gathers styles in one file. One that is imported as a text is loaded with its page (`useStyle`). */
declare module '*.css';
