// Components read the context of their page too, and stand below the shell.
export { useMay, usePage, useStore } from '../components/page-context.ts';
