// Components read the context of their page too, and may not import the shell.
export { useMay, usePage, useStore } from '../components/page-context.ts';
